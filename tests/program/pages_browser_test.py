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

        # Categories have a sentence and a table of their own.
        jostle("rest", str(library.parents[1] / "examples/bracket.stl"), "--scale", "0.001", "-o", "drop.yaml")
        jostle("sweep", "drop.yaml", "-n", "40", "-o", "drop")
        drop = open_page(browser, f"file://{scratch}/drop/report.html", scratch)
        assert "of 40 valid samples" in drop and " The expected shares " in drop and "degrees of freedom: p = " in drop
        assert drop.count("<td><b>face_") == len(re.findall("face_[0-9]+: part", (pathlib.Path(scratch) / "drop.yaml").read_text()))

        jostle("view", "out", "--sample", "7", "--sample", "8", "-o", "rod.html")
        view = open_page(browser, f"file://{scratch}/rod.html#time=0.5", scratch)
        assert "t = 0.5000 s, step 200" in view
        assert view.count("<canvas") == 2 and view.count("class=\"sides\"") == 0

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
