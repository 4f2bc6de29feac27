"""Molecules of different sizes become one large graph in collate_fn, in the main process."""

import torch
import torch.nn.functional as F
from parts import forever, twins
from torch import nn
from torch.utils.data import DataLoader, Dataset

ID = "molecules-in-collate"
QUESTION = (
    "The host spends ms of each step in next() of a DataLoader with num_workers=0. Is it to blame? "
    "(No: it joins the next molecules while the GPU computes.)"
)
CHANGE = "The same batches were joined before the loop, and lie in pinned memory."
CAUSE = "data-loading"
FIRST = None
STACK = False
PROFILED_STEPS = 3
BATCH, BATCHES, KINDS, WIDTH, LAYERS = 240, 6, 40, 1024, 5


class Molecules(Dataset):
    """Chains with a few rings. Edges go both ways."""

    def __init__(self):
        random = torch.Generator().manual_seed(1)
        self.molecules = []
        for _ in range(BATCH * BATCHES):
            atoms = int(torch.randint(12, 30, (1,), generator=random))
            chain = torch.stack([torch.arange(atoms - 1), torch.arange(1, atoms)])
            rings = torch.randint(atoms, (2, 4), generator=random)
            edges = torch.cat([chain, rings, chain.flip(0), rings.flip(0)], 1)
            kinds = torch.randint(KINDS, (atoms,), generator=random)
            self.molecules.append((kinds, edges, torch.randn(1, generator=random)))

    def __len__(self):
        return len(self.molecules)

    def __getitem__(self, index):
        return self.molecules[index]


def join(molecules):
    kinds, edges, owners, before = [], [], [], 0
    for number, (atoms, pairs, _) in enumerate(molecules):
        kinds.append(atoms)
        edges.append(pairs + before)
        owners.append(torch.full((len(atoms),), number))
        before += len(atoms)
    energies = torch.cat([energy for _, _, energy in molecules])
    return torch.cat(kinds), torch.cat(edges, 1), torch.cat(owners), energies


class GIN(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(KINDS, WIDTH)
        self.layers = nn.ModuleList(
            nn.Sequential(nn.Linear(WIDTH, wide), nn.BatchNorm1d(wide), nn.ReLU(), nn.Linear(wide, WIDTH))
            for wide in [2 * WIDTH] * LAYERS
        )
        self.head = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 1))

    def forward(self, kinds, edges, owners):
        x = self.embed(kinds)
        for layer in self.layers:
            x = F.relu(layer(x.index_add(0, edges[1], x[edges[0]])))
        pooled = torch.zeros(BATCH, WIDTH, device=x.device).index_add(0, owners, x)
        return self.head(pooled).squeeze(1)


def build(device):
    molecules = Molecules()

    def variant(model, batches):
        source = forever(batches)
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, fused=True)

        def step():
            kinds, edges, owners, energies = (part.to(device, non_blocking=True) for part in next(source))
            loss = F.l1_loss(model(kinds, edges, owners), energies)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        return step

    models = twins(lambda: GIN().to(device))
    loader = DataLoader(molecules, BATCH, num_workers=0, collate_fn=join, pin_memory=True)
    return variant(models[0], loader), variant(models[1], list(loader)), models
