"""What a sample's text leaves free: names that the reader's program would have. The question of a lesson, <lesson>/ask, is a few lines of it.

GIVEN is run before the sample, in the sample's own names. AFTER is what is asked of its names when it has ended: expressions, each a fact.
Sizes are such that a step takes some milliseconds on an H200. Samples that are not in GIVEN are whole programs.
"""

MODEL = """
import torch
model = torch.nn.Sequential(torch.nn.Linear(4096, 4096), torch.nn.ReLU(), torch.nn.Linear(4096, 4096)).to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
def train_step(x):
    loss = model(x.view(-1, 4096)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.detach()
"""
LOADER = MODEL + """
from torch.utils.data import DataLoader
data = torch.randn(32, 1024, 4096)  # 16 MiB each
"""
DATASET = """
import torch
from torch.utils.data import DataLoader
dataset = torch.randn(2048, 1024)
"""
RANKS = """
import os
import torch
import torch.distributed as dist
torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
"""

GIVEN = {
    "async-submission/ask": """
import time
import torch
a, b = (torch.randn(8192, 8192, device="cuda") for _ in range(2))
torch.cuda.synchronize()
""",
    "collectives/ask": RANKS + """
dist.init_process_group("nccl")
torch.manual_seed(1)  # the same parameters on all ranks
model = torch.nn.Sequential(*(torch.nn.Linear(512, 512) for _ in range(8))).to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loss = model(torch.randn(256, 512, device="cuda") + dist.get_rank()).square().mean()
""",
    "command-queue/ask": """
import torch
model = torch.nn.Sequential(*(torch.nn.Linear(64, 64) for _ in range(100))).to("cuda")
for p in model.parameters():
    p.grad = torch.ones_like(p)
decay, lr = 0.01, 0.1
before = [p.detach().clone() for p in model.parameters()]
""",
    "kernel-ladder/ask": """
import torch
a_host, b_host = (torch.randn(2048, 2048) for _ in range(2))
my_fast_matmul = torch.mm
""",
    "overlapped-uploads/ask": LOADER,
    "pipeline-bubble/ask": RANKS + """
from torch.distributed.pipelining import PipelineStage, ScheduleGPipe
dist.init_process_group("nccl")
rank = dist.get_rank()
device = torch.device("cuda", rank)
stage = PipelineStage(torch.nn.Linear(512, 512).to(device), rank, dist.get_world_size(), device)
x, target = (torch.randn(256, 512, device=device) for _ in range(2))
losses = []
def loss_fn(y, target):
    losses.append(len(y))
    return torch.nn.functional.mse_loss(y, target)
""",
    "questions/all-reduce-no-overlap": """
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
if not dist.is_initialized():
    dist.init_process_group("nccl", init_method="tcp://127.0.0.1:29517", rank=0, world_size=1)
model = torch.nn.Linear(1024, 1024).to("cuda")
""",
    "questions/cpu-takes-seconds": "import time\n" + MODEL + "x = torch.randn(1024, 4096, device='cuda')\n",
    "questions/cuda-stream-synchronize": MODEL + """
step, total = 5, torch.zeros((), device="cuda")
loss = train_step(torch.randn(1024, 4096, device="cuda"))
""",
    "questions/first-batch": DATASET,
    "questions/how-many-workers": DATASET,
    "questions/item-is-slow": MODEL + "loss = train_step(torch.randn(1024, 4096, device='cuda'))\n",
    "questions/launch-takes-my-time": MODEL,
    "questions/masks-synchronise": """
import torch
loss = torch.rand(4_000_000, device="cuda")
mask = loss > 0.5
""",
    "questions/pinned-no-faster": DATASET,
    "questions/profilers-last-synchronize": "from torch.profiler import schedule\n",
    "questions/streams-serial": "import torch\nbatch = torch.randn(4096, 4096).pin_memory()\n",
    "questions/synchronize-slower": MODEL + "x = torch.randn(1024, 4096, device='cuda')\n",
    "questions/to-blocks": DATASET,
    "questions/transfer-rate": "import torch\nsamples = [torch.randn(3, 224, 224) for _ in range(256)]\n",
    "questions/wrong-norm": """
import torch
host = torch.empty((), pin_memory=True)
norm = torch.randn(4096, 4096, device="cuda").norm()
""",
    "ranks/ask": RANKS + """
torch.manual_seed(1 + int(os.environ["RANK"]))
batches = [torch.randn(4_000_000, device="cuda") for _ in range(8)]
train_step = lambda batch: batch.square().mean()
log = []
""",
    "read-a-profile/ask": RANKS + """
from torch.nn.parallel import DistributedDataParallel
dist.init_process_group("nccl")
torch.manual_seed(1 + dist.get_rank())
model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3 * 32 * 32, 1024), torch.nn.ReLU(), torch.nn.Linear(1024, 10)).to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
criterion = torch.nn.CrossEntropyLoss()
loader = [(torch.randn(64, 3, 32, 32, device="cuda"), torch.randint(10, (64,), device="cuda")) for _ in range(8)]
""",
    "staging-buffers/ask": LOADER,
    "starved-by-the-loader/ask": MODEL + """
from torch.utils.data import DataLoader, Dataset
class Data(Dataset):  # a batch takes one thread some times as long as a step
    def __len__(self):
        return 32
    def __getitem__(self, index):
        batch = torch.full((1024, 4096), 0.1 * index)
        for _ in range(8):
            batch.mul_(1.25).sin_()
        return batch
data = Data()
""",
    "stay-on-device/ask": """
import torch
layers = [torch.nn.Linear(2048, 2048).to("cuda") for _ in range(8)]
x = torch.randn(2048, 2048)
torch.set_grad_enabled(False)
""",
    "streams-and-events/ask": """
import torch
torch.set_grad_enabled(False)
model_a, model_b = (torch.nn.Linear(8192, 8192).to("cuda") for _ in range(2))
x = torch.randn(8192, 8192, device="cuda")
""",
    "sync-stalls/ask": MODEL + """
loader = [torch.randn(1024, 4096, device="cuda") for _ in range(32)]
log = []
""",
    "tensor-residence/ask": """
import torch
torch.set_grad_enabled(False)
n, steps = 4_000_000, 10
model = torch.nn.Tanh()
x = torch.zeros(n, device="cuda")
""",
    "transfer-cost/ask": """
import torch
torch.set_grad_enabled(False)
dataset = [torch.randn(1024) for _ in range(64)]
model = torch.nn.Linear(1024, 1024).to("cuda")
results = []
""",
    "worth-it/ask": """
import torch
a, b, c = (torch.randn(1024, 1024, pin_memory=True) for _ in range(3))
""",
}

# Parameters are the same on all ranks, to the bit.
ALIKE = (
    "all(dist.all_reduce(low := p.detach().clone(), op=dist.ReduceOp.MIN) is None "
    "and dist.all_reduce(high := p.detach().clone(), op=dist.ReduceOp.MAX) is None and torch.equal(low, high) for p in model.parameters())"
)

AFTER = {
    "collectives/ask": {"alike": ALIKE},
    "command-queue/ask": {
        "kernels": "2 * len(before)",
        "right": "all(torch.allclose(p, b * (1 - decay) - lr) for p, b in zip(model.parameters(), before))",
    },
    "kernel-ladder/ask": {"right": "torch.allclose(c_host, a_host @ b_host, atol=1e-2)"},
    "kernel-ladder/mend": {"relativeError": "((c.double() - a.double() @ b.double()).abs().max() / (a.double() @ b.double()).abs().max()).item()"},
    "overlapped-uploads/mend": {"relativeError": "((total - expected).abs().max() / expected.abs().max()).item()"},
    "pipeline-bubble/ask": {"losses": "losses"},
    "questions/item-is-slow": {"right": "host.item() == loss.item()"},
    "questions/masks-synchronise": {"right": "torch.allclose(mean, loss[mask].mean())"},
    "questions/pinned-no-faster": {"pins": "loader.pin_memory and loader.num_workers > 0"},
    "questions/streams-serial": {"right": "torch.equal(following.cpu(), batch)"},
    "questions/to-blocks": {"onDevice": "batch.is_cuda"},
    "questions/transfer-rate": {"right": "torch.equal(batch.cpu(), torch.stack(samples))"},
    "questions/wrong-norm": {"right": "host.item() == norm.item()"},
    "ranks/ask": {"right": "len(log) == 8 and all(1.9 < each < 2.1 for each in log)"},
    "ranks/code": {"right": "parts is None or torch.allclose(torch.cat(parts), a @ b, atol=1e-2)"},
    "read-a-profile/ask": {"alike": ALIKE},
    "staging-buffers/mend": {"lastArrived": "torch.equal(x.cpu(), batches[-1])"},
    "streams-and-events/mend": {
        "right": "all(torch.equal(row, (a @ b)[0, :32].cpu()) for row, a in zip(results, inputs))",
        "pinned": "all(row.is_pinned() for row in results)",
    },
    "sync-stalls/ask": {"losses": "len(log)"},
    # The same training again, each loss read at once.
    "sync-stalls/mend": {
        "same": "(torch.manual_seed(3), model.reset_parameters(), late := train(data), torch.manual_seed(3), model.reset_parameters(), "
        "at_once := [train_step(each).item() for each in data], late == at_once)[-1]",
        "losses": "len(late)",
        "stepsAfterNan": "(done := [], wrapped := train_step, globals().update(train_step=lambda x: (done.append(0), "
        "wrapped(x) * (float('nan') if len(done) == 18 else 1))[1]), stopped := train(data), globals().update(train_step=wrapped), "
        "len(done) - len(stopped))[-1]",
    },
    "tensor-residence/mend": {
        "again": "sum(torch.randint(2**32, (words,), generator=generator.manual_seed(seed), device='cuda').sum().item() for seed in seeds) == total.item()",
    },
    "worth-it/ask": {"right": "torch.allclose(c, a @ b, atol=1e-2)"},
}
