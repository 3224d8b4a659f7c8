"""A small network learns from 2,000 tosses of a brick how its velocity changes in 20 ms, contact included. numpy alone.

    python examples/learn_toss.py

Its error on 500 tosses that it has not seen is compared with that of free flight, the best that one can do without contact.
The brick's motion is the same after a turn about the vertical, so the network sees all vectors in the axes of the brick.
"""
import pathlib

import numpy as np

import jostle as js

LIBRARY = pathlib.Path(__file__).resolve().parents[1] / "scenarios" / "library"
STEPS, TIMES = 4, 40                   # of 5 ms: what is predicted, and how often in a toss
GRAVITY = np.array([0, 0, -9.81])      # m/s^2


def matrices(turns):
    """(n, 3, 3) body to world, of quaternions w, x, y, z."""
    w, x, y, z = turns.T
    return np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                     2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                     2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], axis=1).reshape(-1, 3, 3)


def tosses(scenario, ids):
    """Features (k, 10) and changes of velocity and spin (k, 6), beyond free flight, in the axes of the brick."""
    batch = scenario.batch(ids=ids)
    q, v = batch.q[:, 0], batch.v[:, 0]
    inputs, targets = [], []
    for _ in range(TIMES):
        turn, before = matrices(q[:, 3:]), v.copy()
        in_body = lambda vector: np.einsum("nij,ni->nj", turn, vector)  # noqa: E731
        inputs.append(np.hstack([q[:, 2:3], turn[:, 2], in_body(before[:, :3]), in_body(before[:, 3:])]))
        batch.step(STEPS)
        change = v - before
        change[:, :3] -= GRAVITY * STEPS * scenario.step
        targets.append(np.hstack([in_body(change[:, :3]), in_body(change[:, 3:])]))
    return np.vstack(inputs), np.vstack(targets)


class Network:
    """Two hidden layers, trained by Adam on squared errors of scaled data."""

    def __init__(self, inputs, targets, width=96, seed=0):
        random = np.random.default_rng(seed)
        sizes = [inputs.shape[1], width, width, targets.shape[1]]
        self.weights = [random.normal(size=(a, b)) * np.sqrt(2 / a) for a, b in zip(sizes, sizes[1:])]
        self.biases = [np.zeros(b) for b in sizes[1:]]
        self.middle, self.spread, self.unit = inputs.mean(0), inputs.std(0), targets.std(0)

    def layers(self, inputs):
        layers = [(inputs - self.middle) / self.spread]
        for i, (weight, bias) in enumerate(zip(self.weights, self.biases)):
            value = layers[-1] @ weight + bias
            layers.append(np.maximum(value, 0) if i < 2 else value)
        return layers

    def predict(self, inputs):
        return self.layers(inputs)[-1] * self.unit

    def train(self, inputs, targets, epochs, batch=256, rate=2e-3, seed=0):
        random, numbers = np.random.default_rng(seed), self.weights + self.biases
        first, second, step = [np.zeros_like(p) for p in numbers], [np.zeros_like(p) for p in numbers], 0
        count = len(inputs) // batch
        for _ in range(epochs):
            order = random.permutation(len(inputs))
            for part in order[:count * batch].reshape(count, batch):
                step += 1
                for p, g, m, s in zip(numbers, self.gradients(inputs[part], targets[part]), first, second):
                    m += 0.1 * (g - m)
                    s += 0.001 * (g * g - s)
                    shrink = rate * (1 - (step - 1) / (epochs * count))
                    p -= shrink * (m / (1 - 0.9**step)) / (np.sqrt(s / (1 - 0.999**step)) + 1e-8)

    def gradients(self, inputs, targets):
        layers = self.layers(inputs)
        error = (layers[-1] - targets / self.unit) / len(inputs)
        weights, biases = [], []
        for i in (2, 1, 0):
            weights.insert(0, layers[i].T @ error)
            biases.insert(0, error.sum(0))
            error = (error @ self.weights[i].T) * (layers[i] > 0)
        return weights + biases


def main(train=2000, test=500, epochs=15):
    """The network's root mean square error of velocity (m/s) and spin (rad/s), and those of free flight."""
    scenario = js.load(LIBRARY / "tossed_box.yaml")
    inputs, targets = tosses(scenario, np.arange(train))
    unseen, truth = tosses(scenario, np.arange(train, train + test))
    network = Network(inputs, targets)
    network.train(inputs, targets, epochs)
    norm = lambda error: (np.sqrt((error[:, :3]**2).sum(1).mean()), np.sqrt((error[:, 3:]**2).sum(1).mean()))  # noqa: E731
    return norm(network.predict(unseen) - truth), norm(truth)


if __name__ == "__main__":
    (speed, spin), (free_speed, free_spin) = main()
    print(f"velocity after 20 ms: error {speed:.3f} m/s, free flight {free_speed:.3f} m/s")
    print(f"spin after 20 ms:     error {spin:.2f} rad/s, free flight {free_spin:.2f} rad/s")
