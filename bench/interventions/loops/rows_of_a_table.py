"""A table of numbers and categories: a DataLoader fetches its rows one by one and stacks them."""

import torch
import torch.nn.functional as F
from parts import forever, mlp, twins
from torch import nn
from torch.utils.data import BatchSampler, DataLoader, Dataset, RandomSampler

ID = "rows-of-a-table"
QUESTION = (
    "All rows lie in memory, nothing is decoded, and still the GPU idles before each step. Is the loader to blame? "
    "(Yes: it indexes and stacks 1,024 rows.)"
)
CHANGE = "A BatchSampler as sampler: the data set is indexed once a batch, with the same rows."
CAUSE = "data-loading"
FIRST = "data-loading"
STACK = False
ROWS, BATCH, NUMBERS, CATEGORIES, KINDS = 262_144, 1024, 64, 8, 100


class Table(Dataset):
    def __init__(self):
        torch.manual_seed(1)
        self.numbers = torch.randn(ROWS, NUMBERS)
        self.categories = torch.randint(KINDS, (ROWS, CATEGORIES))
        self.labels = torch.randint(2, (ROWS,)).float()

    def __len__(self):
        return ROWS

    def __getitem__(self, index):
        return self.numbers[index], self.categories[index], self.labels[index]


class Tabular(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.ModuleList(nn.Embedding(KINDS, 16) for _ in range(CATEGORIES))
        self.norm = nn.BatchNorm1d(NUMBERS)
        self.net = mlp(512, 4, 1, NUMBERS + 16 * CATEGORIES)

    def forward(self, numbers, categories):
        embedded = [embed(column) for embed, column in zip(self.embed, categories.unbind(1))]
        return self.net(torch.cat([self.norm(numbers), *embedded], 1)).squeeze(1)


def build(device):
    table = Table()

    def variant(model, loader):
        source = forever(loader)
        optimizer = torch.optim.AdamW(model.parameters(), fused=True)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.003, total_steps=1_000_000)

        def step():
            numbers, categories, labels = (part.to(device, non_blocking=True) for part in next(source))
            loss = F.binary_cross_entropy_with_logits(model(numbers, categories), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()

        return step

    def sampler():
        return RandomSampler(table, generator=torch.Generator().manual_seed(1))

    models = twins(lambda: Tabular().to(device))
    one_by_one = DataLoader(table, BATCH, sampler=sampler(), pin_memory=True)
    at_once = DataLoader(table, None, sampler=BatchSampler(sampler(), BATCH, False), pin_memory=True)
    return variant(models[0], one_by_one), variant(models[1], at_once), models
