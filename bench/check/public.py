"""Which lines of training loops from public repositories make the host wait, on a real GPU.

    python3 bench/check/public.py FOLDER OUT.json [--steps N] [--jobs N] [--only ID …]

FOLDER holds a checkout of each repository of REPOS, named OWNER+NAME; none of their code is kept here.
Data is synthetic, models are small where the loop takes any, loaders work without processes of their own,
and each program ends after some steps of its optimizer.
"""

import argparse
import contextlib
import json
import os
import runpy
import subprocess
import sys
import tempfile
import time
import traceback
import types
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

REPOS = {
    "pytorch/examples": "77f55b912142e11fcfdf5b530231fb9c52f181e8",
    "karpathy/nanoGPT": "3adf61e154c3fe3fca428ad6bc3818b27a3b8291",
    "karpathy/minGPT": "37baab71b9abea1b76ab957409a1cc2fbfba8a26",
    "kuangliu/pytorch-cifar": "49b7aa97b0c12fe0d4054e670403a16b6b834ddd",
    "milesial/Pytorch-UNet": "21d7850f2af30a9695bbeea75f3136aa538cfc4a",
    "facebookresearch/mae": "efb2a8062c206524e35e47d04501ed4f544c0ae8",
    "facebookresearch/ConvNeXt": "048efcea897d999aed302f2639b6270aedf8d4c8",
    "facebookresearch/detr": "29901c51d7fe8712168b8d0d64351170bc0f83e0",
    "facebookresearch/dino": "7c446df5b9f45747937fb0d72314eb9f7b66930a",
    "eriklindernoren/PyTorch-GAN": "36d3c77e5ff20ebe0aeefd322326a134a279b93e",
    "yunjey/pytorch-tutorial": "0500d3df5a2a8080ccfccbc00aca0eacc21818db",
    "huggingface/accelerate": "16cb6eb80dd9aa8b4df1a63ef57863e455d53b83",
    "huggingface/pytorch-image-models": "aa4b5850c1543fa488abf260f18390eda46cf85d",
    "vwxyzjn/cleanrl": "fe8d8a03c41a7ef5b523e2e354bd01c363e786bb",
    # Loops that the rules had not seen when they were first scored.
    "tkipf/pygcn": "1600b5b748b3976413d1e307540ccc62605b4d6d",
    "weiaicunzai/pytorch-cifar100": "11d8418f415b261e4ae3cb1ffe20d06ec95b98e4",
    "uoguelph-mlrg/Cutout": "287f934ea5fa00d4345c2cccecf3552e2b1c33e3",
    "sthalles/SimCLR": "1848fc934ad844ae630e6c452300433fe99acfd9",
    "HobbitLong/SupContrast": "66a8fe53880d6a1084b2e4e0db0a019024d6d41a",
    "locuslab/TCN": "2f8c2b817050206397458dfd1f5a25ce8a32fe65",
    "codertimo/BERT-pytorch": "d10dc4f9d5a6f2ca74380f62039526eb7277c671",
    "locuslab/fast_adversarial": "54f728755e71857b632882ba6d6cef22f56e2172",
    "Kaixhin/Rainbow": "1745b184c3dfc03d4ffa3ce2342ced9996b39a60",
}
LOOPS = {}


class Enough(BaseException):
    """The optimizer has stepped often enough."""


def loop(repo, path, argv="", start=None):
    """Registers a loop; its function prepares what the program expects, in an empty working folder."""

    def register(prepare):
        LOOPS[prepare.__name__] = {"repo": repo, "path": path, "argv": argv.split(), "start": start, "prepare": prepare}
        return prepare

    return register


# What programs expect


def fake_module(name, **entries):
    module = types.ModuleType(name)
    vars(module).update(entries)
    sys.modules[name] = module
    parent, _, last = name.rpartition(".")
    if parent in sys.modules:
        setattr(sys.modules[parent], last, module)
    return module


class Anything:
    """Takes any call and any attribute: a logger that logs nowhere."""

    def __init__(self, *args, **named):
        pass

    def __getattr__(self, name):
        return Anything()

    def __call__(self, *args, **named):
        return Anything()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False


def fake_images(channels, size, classes=10, count=1600):
    import torch
    from torchvision.datasets import FakeData

    class Images(FakeData):
        def __init__(self, root=None, train=True, transform=None, target_transform=None, download=False, **_):
            super().__init__(count, (channels, size, size), classes, transform)
            self.targets = torch.arange(count) % classes
            self.data = torch.randint(0, 256, (count, size, size), dtype=torch.uint8)
            self.classes = [str(label) for label in range(classes)]

    return Images


def mnist_data():
    from torchvision import datasets

    datasets.MNIST = datasets.mnist.MNIST = fake_images(1, 28)


def words(path, count=4000):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as file:
        for line in range(count // 10):
            file.write(" ".join(f"w{(line * 7 + word * 13) % 400}" for word in range(10)) + "\n")


def pictures(folder, count, size, suffix=".jpg", mode="RGB"):
    from PIL import Image

    os.makedirs(folder, exist_ok=True)
    for index in range(count):
        Image.new(mode, (size, size), index % 2).save(f"{folder}/{'cat' if index % 2 else 'dog'}_{index}{suffix}")


def image_batches(count=20, batch=16, size=32, classes=10):
    from torch.utils.data import DataLoader
    from torchvision import transforms

    data = fake_images(3, size, classes, count * batch)(transform=transforms.ToTensor())
    return DataLoader(data, batch_size=batch, pin_memory=True)


def device():
    import torch

    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def old_packages():
    fake_module("torch._six", inf=float("inf"), string_classes=(str,), container_abcs=__import__("collections").abc)
    fake_module("tensorboardX", SummaryWriter=Anything)


def one_process_group():
    import torch.distributed as dist

    if not dist.is_initialized():
        store = f"file://{tempfile.mkdtemp()}/store"
        dist.init_process_group("nccl" if device().type == "cuda" else "gloo", init_method=store, rank=0, world_size=1)


# The loops


@loop("pytorch/examples", "mnist/main.py")
def mnist():
    mnist_data()


@loop("pytorch/examples", "mnist_rnn/main.py", "--accel")
def mnist_rnn():
    mnist_data()


@loop("pytorch/examples", "mnist_forward_forward/main.py", "--train_size 200 --test_size 100 --epochs 40")
def forward_forward():
    mnist_data()


@loop("pytorch/examples", "siamese_network/main.py")
def siamese():
    mnist_data()


@loop("pytorch/examples", "vae/main.py")
def vae():
    os.makedirs("results", exist_ok=True)
    mnist_data()


@loop("pytorch/examples", "dcgan/main.py", "--dataset fake --accel --outf . --ngf 16 --ndf 16")
def dcgan():
    pass


@loop("pytorch/examples", "imagenet/main.py", "--dummy -b 8 --gpu 0")
def imagenet():
    if device().type == "cpu":
        sys.argv[-2:] = []


@loop("pytorch/examples", "super_resolution/main.py", "--upscale_factor 2 --batchSize 2 --accel")
def super_resolution():
    for part in ("train", "test"):
        pictures(f"dataset/BSDS300/images/{part}", 40, 260)


@loop(
    "pytorch/examples",
    "fast_neural_style/neural_style/neural_style.py",
    "train --dataset pictures --style-image style.jpg --save-model-dir . --image-size 64 --style-size 64 --accel",
)
def neural_style():
    import torchvision

    pictures("pictures/all", 60, 80)
    from PIL import Image

    Image.ANTIALIAS = Image.LANCZOS
    pictures(".", 1, 80)
    os.rename("dog_0.jpg", "style.jpg")
    vgg16 = torchvision.models.vgg.vgg16
    torchvision.models.vgg16 = lambda weights=None: vgg16()
    if device().type == "cpu":
        sys.argv.remove("--accel")


@loop("pytorch/examples", "word_language_model/main.py", "--data words --emsize 64 --nhid 64 --accel --use-optimizer")
def word_language_model():
    for part, count in (("train", 9000), ("valid", 500), ("test", 500)):
        words(f"words/{part}.txt", count)


@loop("pytorch/examples", "gcn/main.py")
def gcn():
    citations()


@loop("pytorch/examples", "gat/main.py", "--hidden-dim 16 --num-heads 2")
def gat():
    citations()


def citations(folder="cora", papers=1800):
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/cora.content", "w") as file:
        for paper in range(papers):
            file.write(f"{paper} {' '.join(str((paper + word) % 3 // 2) for word in range(32))} topic{paper % 7}\n")
    with open(f"{folder}/cora.cites", "w") as file:
        for paper in range(papers):
            file.write(f"{paper} {(paper * 7 + 1) % papers}\n")
    import requests
    import tarfile

    requests.get = Anything()
    tarfile.open = Anything()


@loop(
    "karpathy/nanoGPT",
    "train.py",
    "--dataset=made --compile=False --n_layer=2 --n_head=2 --n_embd=64 --block_size=64 --batch_size=4"
    " --gradient_accumulation_steps=2 --eval_iters=2",
)
def nano_gpt():
    import numpy

    os.symlink(f"{sys.path[0]}/configurator.py", "configurator.py")
    if device().type == "cpu":
        sys.argv.append("--device=cpu")
    os.makedirs("data/made", exist_ok=True)
    for part in ("train", "val"):
        (numpy.arange(20000) % 500).astype(numpy.uint16).tofile(f"data/made/{part}.bin")


@loop("karpathy/minGPT", "mingpt/trainer.py", start="projects/chargpt/chargpt.py", argv="--model.model_type=gpt-nano")
def mini_gpt():
    with open("input.txt", "w") as file:
        file.write("O God, O God! the quick brown fox jumps over it.\n" * 200)


@loop("kuangliu/pytorch-cifar", "main.py")
def cifar():
    import torchvision

    torchvision.datasets.CIFAR10 = fake_images(3, 32)
    os.popen = lambda *_: types.SimpleNamespace(read=lambda: "24 80")
    if device().type == "cpu":
        import models

        models.SimpleDLA = models.LeNet


@loop("milesial/Pytorch-UNet", "train.py", "--amp --batch-size 2 --scale 1")
def unet():
    import multiprocessing
    import multiprocessing.dummy

    multiprocessing.Pool = multiprocessing.dummy.Pool
    fake_module("wandb", init=Anything(), Histogram=Anything(), Image=Anything())
    pictures("data/imgs", 60, 48)
    pictures("data/masks", 60, 48, ".png", "L")


@loop("facebookresearch/mae", "engine_pretrain.py", start=lambda: masked_autoencoder_epoch())
def masked_autoencoder():
    old_packages()


def masked_autoencoder_epoch():
    import torch
    from engine_pretrain import train_one_epoch
    from util.misc import NativeScalerWithGradNormCount

    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Conv2d(3, 3, 3, padding=1)

        def forward(self, pictures, mask_ratio):
            made = self.layer(pictures)
            return (made - pictures).pow(2).mean(), made, None

    model = Model().to(device())
    optimizer = torch.optim.AdamW(model.parameters())
    args = types.SimpleNamespace(accum_iter=1, mask_ratio=0.75, lr=1e-3, min_lr=0, warmup_epochs=1, epochs=2)
    train_one_epoch(model, image_batches(), optimizer, device(), 0, NativeScalerWithGradNormCount(), None, args)


@loop("facebookresearch/ConvNeXt", "engine.py", start=lambda: convnext_epoch())
def convnext():
    old_packages()


def convnext_epoch():
    import torch
    from engine import train_one_epoch
    from timm.utils import ModelEma
    from utils import NativeScalerWithGradNormCount

    model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3072, 10)).to(device())
    optimizer = torch.optim.AdamW(model.parameters())
    train_one_epoch(
        model, torch.nn.CrossEntropyLoss(), image_batches(), optimizer, device(), 0, NativeScalerWithGradNormCount(),
        model_ema=ModelEma(model), start_steps=0, num_training_steps_per_epoch=20, update_freq=1, use_amp=True,
    )  # fmt: skip


@loop("facebookresearch/detr", "engine.py", start=lambda: detr_epoch())
def detr():
    import torchvision

    # Its utilities ask for the version by the first characters.
    torchvision.__version__ = "0.10.0"
    fake_module("datasets")
    fake_module("datasets.coco_eval", CocoEvaluator=None)
    fake_module("datasets.panoptic_eval", PanopticEvaluator=None)


def detr_epoch():
    import torch
    from engine import train_one_epoch
    from models.backbone import Joiner
    from models.detr import DETR, SetCriterion
    from models.matcher import HungarianMatcher
    from models.position_encoding import PositionEmbeddingSine
    from models.transformer import Transformer
    from util.misc import NestedTensor, collate_fn

    class Backbone(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.body = torch.nn.Conv2d(3, 16, 8, stride=8)

        def forward(self, pictures):
            made = self.body(pictures.tensors)
            mask = torch.zeros(made.shape[0], *made.shape[-2:], dtype=torch.bool, device=made.device)
            return {"0": NestedTensor(made, mask)}

    backbone = Joiner(Backbone(), PositionEmbeddingSine(16, normalize=True))
    backbone.num_channels = 16
    transformer = Transformer(32, 2, 1, 1, 64, return_intermediate_dec=True)
    model = DETR(backbone, transformer, num_classes=10, num_queries=20, aux_loss=True).to(device())
    weights = {"loss_ce": 1, "loss_bbox": 5, "loss_giou": 2}
    criterion = SetCriterion(10, HungarianMatcher(), weights, 0.1, ["labels", "boxes", "cardinality"]).to(device())
    boxes = torch.tensor([[0.5, 0.5, 0.2, 0.2], [0.3, 0.3, 0.1, 0.1]])
    pairs = [(torch.rand(3, 64, 64), {"labels": torch.tensor([1, 2]), "boxes": boxes}) for _ in range(64)]
    loader = torch.utils.data.DataLoader(pairs, batch_size=2, collate_fn=collate_fn)
    train_one_epoch(model, criterion, loader, torch.optim.AdamW(model.parameters()), device(), 0, max_norm=0.1)


@loop("facebookresearch/dino", "main_dino.py", start=lambda: dino_epoch())
def dino():
    old_packages()


def dino_epoch():
    import builtins

    import torch
    from main_dino import DINOLoss, train_one_epoch
    from torch.utils.data import DataLoader

    one_process_group()
    kept = builtins.print

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(3072, 64)

        def forward(self, crops):
            return self.layer(torch.cat([crop.flatten(1) for crop in crops]))

    student = Net().to(device())
    student.module = student.layer
    teacher = Net().to(device())
    crops = DataLoader([([torch.rand(3, 32, 32)] * 4, 0) for _ in range(320)], batch_size=16, pin_memory=True)
    args = types.SimpleNamespace(epochs=1, clip_grad=3.0, freeze_last_layer=0)
    scaler = torch.cuda.amp.GradScaler() if device().type == "cuda" else None
    loss = DINOLoss(64, 4, 0.04, 0.04, 0, 1).to(device())
    schedule = [0.01] * 100
    parameters = [parameter for parameter in student.layer.parameters()]
    try:
        train_one_epoch(
            student, teacher, teacher.layer, loss, crops, torch.optim.AdamW(parameters), schedule, schedule, schedule,
            0, scaler, args,
        )  # fmt: skip
    finally:
        builtins.print = kept


@loop("eriklindernoren/PyTorch-GAN", "implementations/wgan_gp/wgan_gp.py")
def wgan_gp():
    mnist_data()


@loop("eriklindernoren/PyTorch-GAN", "implementations/acgan/acgan.py")
def acgan():
    mnist_data()


@loop("yunjey/pytorch-tutorial", "tutorials/02-intermediate/deep_residual_network/main.py")
def residual_network():
    import torchvision

    torchvision.datasets.CIFAR10 = fake_images(3, 32)


@loop("yunjey/pytorch-tutorial", "tutorials/03-advanced/generative_adversarial_network/main.py")
def tutorial_gan():
    mnist_data()


@loop("yunjey/pytorch-tutorial", "tutorials/02-intermediate/language_model/main.py")
def tutorial_language_model():
    words("data/train.txt", 9000)


@loop("huggingface/accelerate", "examples/cv_example.py", "--data_dir pictures --mixed_precision fp16")
def accelerate_vision():
    import timm

    pictures("pictures", 1000, 64)
    make = timm.create_model
    timm.create_model = lambda name, pretrained=False, **named: make("test_resnet", pretrained=False, **named)
    if device().type == "cpu":
        sys.argv[-2:] = ["--cpu"]


@loop(
    "huggingface/pytorch-image-models",
    "train.py",
    "--dataset made --model resnet18 --num-classes 10 --img-size 64 -b 16 --amp --mixup 0.2 --model-ema --workers 0"
    " --clip-grad 1.0 --output out",
)
def timm_train():
    import timm.data

    made = fake_images(3, 64)
    timm.data.create_dataset = lambda *args, **named: made()
    if device().type == "cpu":
        sys.argv.remove("--amp")
        sys.argv.append("--device=cpu")


@loop("vwxyzjn/cleanrl", "cleanrl/ppo.py")
def ppo():
    import numpy

    class Discrete:
        n, shape = 4, ()

    class Vector:
        single_action_space = Discrete()
        single_observation_space = types.SimpleNamespace(shape=(8,))

        def __init__(self, envs):
            self.count = len(envs)

        def reset(self, **_):
            return numpy.ones((self.count, 8), dtype=numpy.float32), {}

        def step(self, actions):
            ended = numpy.zeros(self.count, dtype=bool)
            return self.reset()[0], numpy.ones(self.count), ended, ended, {}

        def close(self):
            pass

    spaces = types.SimpleNamespace(Discrete=Discrete)
    fake_module("gymnasium", spaces=spaces, vector=types.SimpleNamespace(SyncVectorEnv=Vector))
    fake_module("tyro", cli=lambda make: make(num_steps=32))
    fake_module("torch.utils.tensorboard", SummaryWriter=Anything)


@loop("tkipf/pygcn", "pygcn/train.py")
def pygcn():
    citations("../data/cora")


@loop("weiaicunzai/pytorch-cifar100", "train.py", "-net squeezenet -b 16 -gpu")
def cifar100():
    import torchvision

    tensorboard()
    torchvision.datasets.CIFAR100 = fake_images(3, 32, 100)
    if device().type == "cpu":
        sys.argv.remove("-gpu")


def tensorboard():
    """Its own writer reads tensors, so the real one is used where it is installed."""
    try:
        from torch.utils.tensorboard import SummaryWriter

        SummaryWriter.add_graph = lambda *_: None
    except ImportError:
        writer = type("SummaryWriter", (Anything,), {"log_dir": "."})
        fake_module("torch.utils.tensorboard", SummaryWriter=writer)


@loop("uoguelph-mlrg/Cutout", "train.py", "--data_augmentation --cutout --batch_size 8")
def cutout():
    from torchvision import datasets

    os.makedirs("logs")
    datasets.CIFAR10 = fake_images(3, 32)


@loop("sthalles/SimCLR", "simclr.py", start=lambda: simclr_epoch())
def simclr():
    tensorboard()


def simclr_epoch():
    import torch
    from simclr import SimCLR

    is_gpu = device().type == "cuda"
    args = types.SimpleNamespace(
        device=device(), batch_size=16, n_views=2, temperature=0.07, fp16_precision=is_gpu, epochs=1,
        disable_cuda=not is_gpu, log_every_n_steps=100,
    )  # fmt: skip
    model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3072, 32))
    optimizer = torch.optim.Adam(model.parameters())
    pairs = [((torch.rand(3, 32, 32), torch.rand(3, 32, 32)), 0) for _ in range(320)]
    loader = torch.utils.data.DataLoader(pairs, batch_size=16, pin_memory=True, drop_last=True)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10)
    SimCLR(args=args, model=model, optimizer=optimizer, scheduler=scheduler).train(loader)


@loop("HobbitLong/SupContrast", "main_supcon.py", "--batch_size 8 --model resnet18")
def supervised_contrast():
    from torchvision import datasets

    fake_module("tensorboard_logger", Logger=Anything)
    datasets.CIFAR10 = fake_images(3, 32)


@loop("locuslab/TCN", "TCN/mnist_pixel/pmnist_test.py", "--levels 4 --batch_size 16")
def temporal_convolutions():
    mnist_data()


@loop("codertimo/BERT-pytorch", "bert_pytorch/trainer/pretrain.py", start=lambda: bert_epoch())
def bert():
    pass


def bert_epoch():
    import torch
    from bert_pytorch.model import BERT
    from bert_pytorch.trainer.pretrain import BERTTrainer

    words_ = torch.arange(1, 21)
    rows = [{"bert_input": words_, "segment_label": words_ % 2 + 1, "bert_label": words_, "is_next": 1}] * 320
    loader = torch.utils.data.DataLoader(rows, batch_size=8)
    BERTTrainer(BERT(50, hidden=32, n_layers=1, attn_heads=2), 50, loader, log_freq=100).train(0)


@loop("locuslab/fast_adversarial", "CIFAR10/train_fgsm.py", "--batch-size 8")
def fast_adversarial():
    from torchvision import datasets

    fake_module("apex")
    scale_loss = lambda loss, _: contextlib.nullcontext(loss)  # noqa: E731
    fake_module("apex.amp", initialize=lambda model, optimizer, **_: (model, optimizer), scale_loss=scale_loss)
    datasets.CIFAR10 = fake_images(3, 32)


@loop("Kaixhin/Rainbow", "agent.py", start=lambda: rainbow_steps())
def rainbow():
    pass


def rainbow_steps():
    import torch
    from agent import Agent

    args = types.SimpleNamespace(
        atoms=51, V_min=-10, V_max=10, batch_size=8, multi_step=3, discount=0.99, norm_clip=10, device=device(),
        model=None, learning_rate=1e-4, adam_eps=1e-4, architecture="data-efficient", history_length=4,
        hidden_size=32, noisy_std=0.1,
    )  # fmt: skip
    states = torch.rand(8, 4, 84, 84, device=device())
    one = torch.ones(8, device=device())
    sample = [range(8), states, one.long(), one, states, one.unsqueeze(1), one]
    memory = types.SimpleNamespace(sample=lambda _: sample, update_priorities=lambda *_: None)
    agent = Agent(args, types.SimpleNamespace(action_space=lambda: 4))
    for _ in range(40):
        agent.reset_noise()
        agent.learn(memory)


# Running one


def on_cpu():
    """A rehearsal: calls that name the GPU do nothing."""
    import torch

    torch.Tensor.cuda = lambda self, *args, **named: self
    torch.nn.Module.cuda = lambda self, *args, **named: self
    torch.cuda.synchronize = lambda *args: None


def without_workers():
    """The profiler and the traced lines see one process; batches are pinned as the program says."""
    from torch.utils.data import DataLoader

    made = DataLoader.__init__

    def init(self, *args, **named):
        made(self, *args, **{**named, "num_workers": 0, "prefetch_factor": None, "persistent_workers": False})

    DataLoader.__init__ = init


def run_one(folder, name, limit):
    loop_ = LOOPS[name]
    root = os.path.join(os.path.abspath(folder), loop_["repo"].replace("/", "+"))
    shown = os.path.join(root, loop_["path"])
    sys.path[:0] = [os.path.dirname(shown), root]
    sys.argv = [shown, *loop_["argv"]]
    # Programs that look for data beside their folder find it in the same scratch folder.
    os.makedirs(here := os.path.join(tempfile.mkdtemp(), "run"))
    os.chdir(here)

    import torch
    from torch.optim import optimizer as optimizers
    from waits import HAS_GPU, Steps, profiled, warned

    if not HAS_GPU:
        on_cpu()
    without_workers()
    loop_["prepare"]()
    steps, first = Steps(), []

    def hook(optimizer, args, named):
        if not first:
            first.append(optimizer)
        if optimizer is first[0]:
            if steps.now == limit:
                raise Enough
            steps.count()

    optimizers.register_optimizer_step_pre_hook(hook)
    start = loop_["start"]
    argv = list(sys.argv)

    def run():
        steps.now = 0
        first.clear()
        sys.argv = list(argv)
        torch.manual_seed(0)
        with contextlib.suppress(Enough):
            if callable(start):
                start()
            else:
                runpy.run_path(os.path.join(root, start) if start else shown, run_name="__main__")

    # The first run warms up: kernels are chosen and memory is taken in it.
    run()
    if steps.now == 0:
        raise RuntimeError("no optimizer stepped")
    waits = warned(run, steps, shown=shown)
    traced, ran = profiled(run, steps, shown=shown)
    waits += traced
    lines = defaultdict(lambda: {"steps": defaultdict(set), "calls": defaultdict(int), "above": set()})
    for wait in waits:
        pass_ = "warned" if wait.call == "warned" else "profiled"
        line = lines[(os.path.relpath(wait.file, root), wait.line)]
        line["steps"][pass_].add(wait.step)
        line["calls"][wait.call] += 1
        if wait.above and wait.file != shown:
            line["above"].add(wait.above)
    return {
        "loop": name,
        "repo": loop_["repo"],
        "commit": REPOS[loop_["repo"]],
        "path": loop_["path"],
        "steps": steps.now,
        # Lines of the file that ran in at least every second step.
        "ran": sorted(line for (file, line), seen in ran.items() if file == shown and len(seen) >= steps.now / 2),
        "lines": [
            {
                "file": "…/" + "/".join(file.split("/")[-2:]) if file.startswith("..") else file,
                "line": line,
                "steps": {pass_: len(seen) for pass_, seen in each["steps"].items()},
                "calls": dict(sorted(each["calls"].items())),
                # Lines of the loop's file that call the line of another file.
                **({"above": sorted(each["above"])} if each["above"] else {}),
            }
            for (file, line), each in sorted(lines.items())
        ],
    }


def start_one(folder, name, limit, seconds):
    began = time.time()
    with tempfile.TemporaryDirectory() as scratch:
        out = os.path.join(scratch, "out.json")
        command = [sys.executable, os.path.abspath(__file__), folder, out, "--one", name, "--steps", str(limit)]
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "HF_HUB_OFFLINE": "1", "MPLBACKEND": "Agg"}
        try:
            ended = subprocess.run(
                command, capture_output=True, text=True, errors="replace", timeout=seconds, env=environment
            )
            error = ended.stderr[-1500:] if ended.returncode else None
        except subprocess.TimeoutExpired:
            error = f"not done after {seconds} s"
        if error is None:
            with open(out) as file:
                result = json.load(file)
        else:
            result = {"loop": name, "error": error}
    print(f"{time.time() - began:6.1f} s  {name}  {(error or 'ok').strip().splitlines()[-1]}", flush=True)
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("out")
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--seconds", type=int, default=100)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--one")
    args = parser.parse_args()
    if args.one:
        out = os.path.abspath(args.out)
        try:
            result = run_one(args.folder, args.one, args.steps)
        except BaseException:
            traceback.print_exc()
            sys.exit(1)
        with open(out, "w") as file:
            json.dump(result, file)
        # Threads of a loader or a process group must not keep this process.
        os._exit(0)
    import torch

    result = {
        "torch": torch.__version__,
        "device": torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu",
        "loops": [],
    }
    with ThreadPoolExecutor(args.jobs) as pool:
        names = args.only or list(LOOPS)
        for each in pool.map(lambda name: start_one(args.folder, name, args.steps, args.seconds), names):
            result["loops"].append(each)
            with open(args.out, "w") as file:
                json.dump(result, file, indent=1)


if __name__ == "__main__":
    main()
