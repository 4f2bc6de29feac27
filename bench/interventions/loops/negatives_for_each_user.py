"""A recommender: for each rating, the data set draws four items that the user has not rated."""

import random

import torch
import torch.nn.functional as F
from parts import forever, mlp, twins
from torch import nn
from torch.utils.data import DataLoader, Dataset

ID = "negatives-for-each-user"
QUESTION = (
    "The network is tiny, and the GPU idles most of the time. Is the network too small, or loading too slow? "
    "(Loading: __getitem__ draws items until they are new to the user.)"
)
CHANGE = "The batches of an epoch are drawn before the loop, with the same random numbers."
CAUSE = "data-loading"
FIRST = "data-loading"
STACK = False
PROFILED_STEPS = 2
USERS, ITEMS, RATED, BATCH, BATCHES, NEGATIVES, SIZE = 20_000, 4000, 60, 1024, 24, 4, 64


class Ratings(Dataset):
    def __init__(self):
        self.random = random.Random(1)
        self.rated = [set(self.random.choices(range(ITEMS), k=RATED)) for _ in range(USERS)]
        users = self.random.choices(range(USERS), k=BATCH * BATCHES)
        self.ratings = [(user, next(iter(self.rated[user]))) for user in users]

    def __len__(self):
        return len(self.ratings)

    def __getitem__(self, index):
        user, item = self.ratings[index]
        items = [item]
        while len(items) <= NEGATIVES:
            other = int(self.random.random() * ITEMS)
            if other not in self.rated[user]:
                items.append(other)
        return user, torch.tensor(items)


class NeuMF(nn.Module):
    def __init__(self):
        super().__init__()
        self.users, self.items = nn.Embedding(USERS, 2 * SIZE), nn.Embedding(ITEMS, 2 * SIZE)
        self.mlp = mlp(4 * SIZE, 3, SIZE, 2 * SIZE)
        self.head = nn.Linear(2 * SIZE, 1)

    def forward(self, users, items):
        wide_user, deep_user = self.users(users)[:, None].expand(-1, items.shape[1], -1).chunk(2, 2)
        wide_item, deep_item = self.items(items).chunk(2, 2)
        deep = self.mlp(torch.cat([deep_user, deep_item], 2))
        return self.head(torch.cat([wide_user * wide_item, deep], 2)).squeeze(2)


def build(device):
    wanted = torch.zeros(BATCH, 1 + NEGATIVES, device=device)
    wanted[:, 0] = 1.0

    def variant(model, batches):
        source = forever(batches)
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

        def step():
            users, items = (part.to(device, non_blocking=True) for part in next(source))
            loss = F.binary_cross_entropy_with_logits(model(users, items), wanted)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

        return step

    def loader():
        return DataLoader(Ratings(), BATCH, num_workers=0, pin_memory=True)

    models = twins(lambda: NeuMF().to(device))
    return variant(models[0], loader()), variant(models[1], list(loader())), models
