"""A pool of threads augments the images of a batch, one by one, on the GPU."""

import random
from concurrent.futures import ThreadPoolExecutor

import torch
from parts import ResNet, train, twins

ID = "augments-in-a-pool"
QUESTION = (
    "Eight threads augment images on the GPU, and the loop waits for them. Would more threads help? "
    "(No: a dozen launches for each image, and threads launch one at a time.)"
)
CHANGE = "The images of a batch are augmented at once, by the same factors. The network is launched as before."
CAUSE = "dispatch"
PARTIAL = True
FIRST = "dispatch"
STACK = False
PROFILED_STEPS = 2
ROWS, STORED, EDGE, WIDTH, BATCHES = 48, 72, 64, 32, 4


def factors(dice):
    return {
        "place": (dice.randrange(STORED - EDGE), dice.randrange(STORED - EDGE)),
        "flips": dice.random() < 0.5,
        "brightness": 1 + 0.4 * (dice.random() - 0.5),
        "contrast": 1 + 0.4 * (dice.random() - 0.5),
        "saturation": 1 + 0.4 * (dice.random() - 0.5),
    }


def augment(image, by):
    y, x = by["place"]
    image = image[:, y : y + EDGE, x : x + EDGE].float() / 255
    if by["flips"]:
        image = image.flip(2)
    image = (image * by["brightness"]).clamp(0, 1)
    image = ((image - image.mean()) * by["contrast"] + image.mean()).clamp(0, 1)
    grey = image.mean(0, keepdim=True)
    image = ((image - grey) * by["saturation"] + grey).clamp(0, 1)
    return (image - 0.45) / 0.25


class AllAtOnce:
    """The same for the images of one batch. Its tensors of factors are made once."""

    def __init__(self, by, device):
        self.number = torch.arange(ROWS, device=device)[:, None, None, None]
        self.plane = torch.arange(3, device=device)[None, :, None, None]
        place = torch.tensor([each["place"] for each in by], device=device)
        flips = torch.tensor([each["flips"] for each in by], device=device)
        along = torch.arange(EDGE, device=device)
        across = torch.where(flips[:, None], EDGE - 1 - along, along) + place[:, 1:]
        self.y, self.x = (place[:, :1] + along)[:, None, :, None], across[:, None, None, :]
        self.brightness, self.contrast, self.saturation = (
            torch.tensor([each[name] for each in by], device=device)[:, None, None, None]
            for name in ("brightness", "contrast", "saturation")
        )

    def __call__(self, images):
        images = images[self.number, self.plane, self.y, self.x].float() / 255
        images = (images * self.brightness).clamp(0, 1)
        mean = images.mean((1, 2, 3), keepdim=True)
        images = ((images - mean) * self.contrast + mean).clamp(0, 1)
        grey = images.mean(1, keepdim=True)
        images = ((images - grey) * self.saturation + grey).clamp(0, 1)
        return (images - 0.45) / 0.25


def build(device):
    torch.manual_seed(1)
    dice = random.Random(1)
    stored = [torch.randint(256, (ROWS, 3, STORED, STORED), dtype=torch.uint8, device=device) for _ in range(BATCHES)]
    drawn = [[factors(dice) for _ in range(ROWS)] for _ in range(BATCHES)]
    at_once = [AllAtOnce(by, device) for by in drawn]
    targets = torch.randint(10, (ROWS,), device=device)
    pool = ThreadPoolExecutor(8)

    def variant(model, augmented):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
        number = 0

        def step():
            nonlocal number
            number += 1
            train(model, optimizer, augmented(number % BATCHES), targets)

        return step

    def in_pool(at):
        return torch.stack(list(pool.map(augment, stored[at], drawn[at])))

    models = twins(lambda: ResNet(WIDTH).to(device))
    return variant(models[0], in_pool), variant(models[1], lambda at: at_once[at](stored[at])), models
