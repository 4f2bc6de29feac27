"""A small GAN whose loop reads the losses of both networks in each step."""

import torch
import torch.nn.functional as F
from parts import mlp, twins

ID = "gan-losses"
QUESTION = "Both losses of a GAN are read in each step. Are the reads to blame? (Barely: launches set the pace.)"
CHANGE = "The losses are summed on the device and not read."
CAUSE = "read-back"
FIRST = "dispatch"
STACK = False


def build(device):
    def learner():
        maker, judge = mlp(256, 3, 784, 64).to(device), mlp(256, 3, 1, 784).to(device)
        optimizers = [torch.optim.Adam(model.parameters(), lr=2e-4, betas=(0.5, 0.999)) for model in (maker, judge)]
        return maker, judge, *optimizers

    ours, theirs = twins(learner)
    real = torch.rand(128, 784, device=device)
    noise = torch.randn(128, 64, device=device)
    ones, zeros = torch.ones(128, 1, device=device), torch.zeros(128, 1, device=device)
    sums = [0.0, 0.0]
    totals = torch.zeros(2, device=device)

    def train(maker, judge, for_maker, for_judge):
        fake = maker(noise)
        judged = F.binary_cross_entropy_with_logits
        loss_judge = judged(judge(real), ones) + judged(judge(fake.detach()), zeros)
        for_judge.zero_grad()
        loss_judge.backward()
        for_judge.step()
        loss_maker = judged(judge(fake), ones)
        for_maker.zero_grad()
        loss_maker.backward()
        for_maker.step()
        return loss_judge.detach(), loss_maker.detach()

    def found():
        loss_judge, loss_maker = train(*ours)
        sums[0] += loss_judge.item()
        sums[1] += loss_maker.item()

    def changed():
        loss_judge, loss_maker = train(*theirs)
        totals[0] += loss_judge
        totals[1] += loss_maker

    return found, changed, (ours[0], theirs[0])
