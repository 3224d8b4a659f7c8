"""A simulation of a sweep on many machines: where it stops scaling, and what its end costs.

    scaling.py [--shard-seconds 60] [--samples 1e9] [--spread 0.3] [--ranks 1,64,1024,10000]

Ranks take shards from the counter of rank 0, simulate, and write. Two things are shared: the counter, and the server that
creates, syncs and renames files. The defaults are what docs/clusters.md has measured, but for --file, --bandwidth and
--start, which are those of your cluster. The end,
when rank 0 writes run.h5 and the summaries, takes a time for each shard.
"""
import argparse
import heapq
import math
import random

SAMPLES_PER_SHARD = 16384


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=float, default=1e9)
    parser.add_argument("--shard-seconds", type=float, default=60, help="of one rank, to simulate a shard")
    parser.add_argument("--spread", type=float, default=0.3, help="standard deviation of that, relative")
    parser.add_argument("--ranks", default="1,64,256,1024,4096,10000")
    parser.add_argument("--counter", type=float, default=7e-6, help="s, to serve one rank at the counter")
    parser.add_argument("--latency", type=float, default=0.1, help="s, until rank 0 answers: at the end of its batch, unless the network needs no answer")
    parser.add_argument("--file", type=float, default=1e-3, help="s of the metadata server, for one shard: create, sync, rename")
    parser.add_argument("--shard-bytes", type=float, default=2.6e6)
    parser.add_argument("--bandwidth", type=float, default=5e9, help="bytes/s of the file system, all ranks together")
    parser.add_argument("--start", type=float, default=2, help="s, until a rank takes its first shard")
    parser.add_argument("--read", type=float, default=7e-3, help="s of a rank at the end, for each of its shards")
    parser.add_argument("--view", type=float, default=0.7e-3, help="s of rank 0 at the end, for each shard: run.h5 and run.json")
    parser.add_argument("--csv", type=float, default=20e-3, help="the same for summary.csv")
    parser.add_argument("--numbers", type=int, default=2, help="outcomes with numbers, of which a rank holds two at once")
    return parser.parse_args()


class Server:
    """Serves one after the other; `busy` is the time at which it is free again."""

    def __init__(self):
        self.busy, self.waited = 0.0, 0.0

    def serve(self, arrival, duration):
        begin = max(arrival, self.busy)
        self.waited += begin - arrival
        self.busy = begin + duration
        return self.busy


def sweep(ranks, shards, o, draw):
    """Seconds until the last shard is written, and the time that ranks have spent waiting."""
    counter, files, disk = Server(), Server(), Server()
    todo = [(o.start + draw.random() * 0.1, rank) for rank in range(ranks)]
    heapq.heapify(todo)
    work, done = 0.0, []
    sigma = math.sqrt(math.log(1 + o.spread**2))
    for _ in range(shards):
        now, rank = heapq.heappop(todo)
        now = counter.serve(now + o.latency / 2, o.counter) + o.latency / 2
        seconds = o.shard_seconds * math.exp(draw.gauss(-sigma**2 / 2, sigma))
        work += seconds
        done.append(now + seconds)
        heapq.heappush(todo, (now + seconds, rank))
    # A shard is written while the next one is simulated; only the last ones are waited for.
    for simulated in sorted(done):
        end = disk.serve(files.serve(simulated, o.file), o.shard_bytes / o.bandwidth)
    return end, work, counter.waited, files.waited


def main():
    o = options()
    shards = math.ceil(o.samples / SAMPLES_PER_SHARD)
    print(f"{o.samples:.3g} samples in {shards:,} shards of {o.shard_seconds:g} s (+- {100 * o.spread:.0f} %)\n")
    print("| ranks | sweep, s | efficiency | wait at the counter, s each | wait for files, s each | end: own shards, s | end: run.h5, s | end: csv, s | memory of a rank, MB |")
    print("|---|---|---|---|---|---|---|---|---|")
    for ranks in map(int, o.ranks.split(",")):
        end, work, at_counter, at_files = sweep(ranks, shards, o, random.Random(1))
        own = math.ceil(shards / ranks)
        memory = 40 + 8e-6 * min(o.numbers, 2) * own * SAMPLES_PER_SHARD + 1e-3 * shards
        print(f"| {ranks:,} | {end:,.0f} | {100 * work / (ranks * end):.1f} % | {at_counter / shards:.2g} | {at_files / shards:.2g} "
              f"| {o.read * own:,.1f} | {o.view * shards:,.0f} | {o.csv * shards:,.0f} | {memory:,.0f} |")


main()
