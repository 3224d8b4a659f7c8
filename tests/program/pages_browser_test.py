"""Opens the pages that jostle writes in a real browser, without a window: they draw, and the console stays silent.

    pages_browser_test.py PROGRAM LIBRARY [BROWSER]

Exit status 77: there is no browser.
"""
import pathlib
import re
import subprocess
import sys
import tempfile


WIDTHS = """const wide = [...document.querySelectorAll("body *")].filter(e => e.scrollWidth > e.clientWidth + 1 &&
  getComputedStyle(e).display !== "inline" && !e.closest("svg") && e.clientWidth > 0).map(e => e.tagName + "." + e.className);
document.title = "wide: " + [document.documentElement.scrollWidth - innerWidth, ...wide].join(" ");"""


# Numbers over six powers of ten, values of a list, long and foreign names: what is hard on a chart.
WIDE = """jostle: 1
title: Größen von 10⁻⁹ bis 10⁹ < & </script>
variables:
  tiny_to_huge: {log_uniform: [1e-9, 1e9]}
  count: {choice: {values: [1, 2, 5, 10]}}
  big: {uniform: [100000, 900000]}
  a_name_of_a_variable_that_is_long_and_goes_on: {uniform: [0, 1], label: Länge der Fédér und noch mehr, unit: m}
world: {step: 0.01, duration: 0.02}
bodies:
  ground: {fixed: true, shape: {half_space: {normal: [0, 0, 1]}}}
  ball: {mass: 1, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.1], velocity: [1, 0, 0]}
contacts: [{between: any, friction: 0.1}]
sample: {method: random, count: 300, seed: 3}
outcomes:
  energy_left: {at_end: "log($tiny_to_huge)*$big", unit: J}
  same: {at_end: "2"}
  wide: {at_end: "$count*$a_name_of_a_variable_that_is_long_and_goes_on", label: Weite}
  up: {at_end: "$big > 500000"}
"""

# Texts of charts that cover one another or leave their chart, and names that are broken though they are short.
TEXTS = """const wrong = [];
for (const svg of document.querySelectorAll("svg")) {
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll("text")].map(e => [e.textContent, e.getBoundingClientRect()]);
  const common = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]);
  const both = (a, b) => [common(a, b, "left", "right"), common(a, b, "top", "bottom")];
  texts.forEach(([text, a], i) => {
    const [wide, high] = both(a, frame);
    if (wide < a.width - 1 || high < a.height - 1) wrong.push(`${text} leaves its chart`);
    for (const [other, b] of texts.slice(i + 1)) {
      const [wide, high] = both(a, b);
      if (wide > 1 && high > 3) wrong.push(`${text} covers ${other}`);
    }
  });
}
for (const name of document.querySelectorAll(".called a"))
  if (name.textContent.length < 20 && name.getClientRects().length > 1) wrong.push(`${name.textContent} is broken`);
document.title = "wrong: " + wrong.join("; ");"""

# What the keys of a motion do: seven facts.
KEYS = """const canvas = panels[0].canvas;
const key = (key, shiftKey = false) => canvas.dispatchEvent(new KeyboardEvent("keydown", {key, shiftKey, bubbles: true}));
const was = () => [camera.azimuth, camera.elevation, camera.distance, ...camera.target], told = [], start = was();
key("ArrowLeft"), told.push(camera.azimuth > start[0]);
key("ArrowDown"), told.push(camera.elevation > start[1]);
key("+"), told.push(camera.distance < start[2]);
key("ArrowRight", true), told.push(norm(subtract(camera.target, start.slice(3))) > 0);
const followed = camera.follow;
key("f"), told.push(camera.follow !== followed);
byId("reset").click(), told.push(was().every((value, i) => value === start[i]));
const [box, panel] = [".facts", ".panel"].map(name => document.querySelector(name).getBoundingClientRect());
told.push(box.bottom <= panel.bottom && box.right <= panel.right);
document.title = "keys: " + told.join(" ");"""


def told_by(page, script):
    """A copy of the page that ends with another script."""
    told = page.with_name("told.html")
    told.write_text(page.read_text().replace("</body>", f"<script>{script}</script></body>"))
    return f"file://{told}"


def open_page(browser, page, folder, *options):
    """The document after its scripts have run. Fails if the console has an error."""
    command = [browser, "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--user-data-dir={folder}/profile",
               "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--enable-logging=stderr",
               "--window-size=1200,800", "--virtual-time-budget=4000", *options, "--dump-dom", page]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=120)
    console = [line for line in answer.stderr.splitlines() if "CONSOLE" in line]
    errors = [line for line in console if "Error" in line or "error" in line or "Uncaught" in line]
    assert not errors, errors
    return answer.stdout


def main():
    program, library, browser = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else ""
    if not browser or not pathlib.Path(browser).exists():
        print("no browser: install chromium to test the pages")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        def jostle(*words):
            subprocess.run([program, *words], cwd=scratch, check=True, stdout=subprocess.DEVNULL)

        jostle("sweep", str(library / "rod.yaml"), "-n", "300", "-o", "out")
        report = open_page(browser, f"file://{scratch}/out/report.html", scratch)
        assert report.count("<svg") >= 12, report.count("<svg")
        assert "NaN" not in re.sub(r"<script.*?</script>|base64,[^\"]*", "", report, flags=re.DOTALL)

        # Nothing stands outside of a wide and of a narrow window.
        for width in (1200, 700):
            page = told_by(pathlib.Path(scratch) / "out/report.html", WIDTHS)
            title = re.search(r"<title>(wide: [^<]*)</title>", open_page(browser, page, scratch, f"--window-size={width},900"))
            assert title and re.fullmatch(r"wide: -?\d+", title[1]) and int(title[1][6:]) <= 0, (width, title and title[1])
        assert "class=\"mechanism\"" in report and "class=\"sentence\"" in report

        # Charts of what is hard: log-uniform variables over powers of ten, nothing covers anything, one value is one bar.
        (pathlib.Path(scratch) / "wide.yaml").write_text(WIDE)
        jostle("sweep", "wide.yaml", "-o", "wide")
        for page in ("out", "wide"):
            for width in (1200, 400):
                told = told_by(pathlib.Path(scratch) / page / "report.html", TEXTS)
                seen = open_page(browser, told, scratch, f"--window-size={width},900")
                wrong = re.search(r"<title>wrong: ([^<]*)</title>", seen)
                assert wrong and not wrong[1], (page, width, wrong and wrong[1])
        wide = open_page(browser, f"file://{scratch}/wide/report.html", scratch)
        assert ">1e-8</text>" in wide and ">1e8</text>" in wide, "powers of ten"
        assert re.search(r"<b>same</b> is 2 in all 300 valid samples\.", wide), "one value"
        assert "which alone explains" in wide and "#up" in wide
        jostle("sweep", "wide.yaml", "-n", "1", "-o", "one")
        one = open_page(browser, f"file://{scratch}/one/report.html", scratch)
        assert "1 sample, 2 steps" in one and "is 2 in the one valid sample." in one

        # Categories have a sentence and a table of their own.
        jostle("rest", str(library.parents[1] / "examples/bracket.stl"), "--scale", "0.001", "-o", "drop.yaml")
        jostle("sweep", "drop.yaml", "-n", "40", "-o", "drop")
        drop = open_page(browser, f"file://{scratch}/drop/report.html", scratch)
        assert "of 40 valid samples" in drop and " The expected shares " in drop and "degrees of freedom: p = " in drop
        faces = len(re.findall("face_[0-9]+: part", (pathlib.Path(scratch) / "drop.yaml").read_text()))
        assert drop.count('<td><div class="called"><a href="#face_') == faces

        jostle("view", "out", "--sample", "7", "--sample", "8", "-o", "rod.html")
        view = open_page(browser, f"file://{scratch}/rod.html#time=0.5", scratch)
        assert "t = 0.5000 s, step 200" in view
        assert view.count("<canvas") == 2 and view.count("class=\"sides\"") == 0

        # Samples have the colours of their lines, and outcomes their names over what they look at.
        assert view.count('class="colour"') == 2 and re.search(r"<text[^>]*>lies: rod.position.y", view)

        # Keys turn, move, zoom and follow, and the facts stay in their panel, also in a small window.
        jostle("view", str(library / "tossed_box.yaml"), "-o", "box.html")
        for size in ("1200,800", "800,600"):
            page = told_by(pathlib.Path(scratch) / "box.html", KEYS)
            told = re.search(r"<title>keys: ([^<]*)</title>", open_page(browser, page, scratch, f"--window-size={size}"))
            assert told and told[1] == " ".join(["true"] * 7), (size, told and told[1])

        # A pendulum whose centre of mass is a metre from its pallets, and a ball that flies off, leave the scene in sight.
        jostle("view", str(library / "escapement.yaml"), "-o", "clock.html")
        jostle("view", str(library / "door.yaml"), "-o", "door.html")
        page = told_by(pathlib.Path(scratch) / "clock.html", "document.title = `seen: ${near}`;")
        radius = re.search(r"<title>seen: ([^<]*)</title>", open_page(browser, page, scratch))
        assert radius and float(radius[1]) < 0.1, radius
        page = told_by(pathlib.Path(scratch) / "door.html", "document.title = `seen: ${data.bodies[camera.follow]?.name}`;")
        assert "<title>seen: leaf</title>" in open_page(browser, page, scratch)

        # The gate does not hide what moves: the usual side is that of the gate.
        jostle("sweep", str(library / "feeder.yaml"), "-n", "8", "--set", "record.trajectories=8", "-o", "feeder")
        jostle("view", "feeder", "--sample", "7", "-o", "feeder.html")
        tell = """document.title = hiddenFrom(eye());
                  camera.azimuth = 0.6, camera.elevation = 0.35;
                  document.title += ` and ${hiddenFrom(eye())}`;"""
        page = told_by(pathlib.Path(scratch) / "feeder.html", tell)
        told = re.search(r"<title>(\d+) and (\d+)</title>", open_page(browser, page, scratch))
        assert told, "the page tells what is hidden"
        assert int(told[1]) < int(told[2]) // 4, told[0]

        # Recorded quantities have a chart each, with the time that is shown.
        jostle("view", str(library / "sliding_block.yaml"), "-o", "block.html")
        charts = open_page(browser, f"file://{scratch}/block.html#time=0.1", scratch)
        assert charts.count("class=\"cursor\"") >= 1 and "time (s)" in charts

        # The limits of a joint are drawn: an arc of 24 lines for 3.5 rad, its two ends, and where the door is.
        jostle("view", str(library / "door.yaml"), "--set", "joints.hinge.limits=[-3, 0.5]", "-o", "door.html")
        for look, page in (("three sides", "door.html#drawing"), ("WebGL", "door.html")):
            door = open_page(browser, f"file://{scratch}/{page}", scratch)
            assert "Orange: limits" in door, look
            assert look == "WebGL" or door.count('stroke="#d96b0d"') == 3 * 26, door.count('stroke="#d96b0d"')

        plain = open_page(browser, f"file://{scratch}/rod.html", scratch, "--disable-gpu", "--disable-3d-apis")
        assert plain.count("class=\"sides\"") == 2, "without WebGL: drawings"
        assert plain.count("<polygon") >= 6
    return 0


sys.exit(main())
