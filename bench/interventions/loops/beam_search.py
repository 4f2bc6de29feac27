"""Translation with a recurrent decoder: after each token, Python extends the hypotheses of every sentence."""

import numpy as np
import torch
from torch import nn

ID = "beam-search"
QUESTION = (
    "Each token is followed by a read of the best continuations. Is the read to blame? "
    "(No: extend() is, which makes lists of tokens longer one by one.)"
)
CHANGE = "NumPy extends all hypotheses at once, with the same result. The read stays."
CAUSE = "host-code:extend"
PARTIAL = True  # what replaces it is called extend(), too
FIRST = "host-code:extend"
STACK = True
PROFILED_STEPS = 2
SENTENCES, BEAMS, TOKENS, WORDS, WIDTH, VOCABULARY, END = 96, 5, 8, 40, 512, 8000, 2


class Lists:
    """The hypotheses of each sentence as lists of tokens."""

    def __init__(self):
        self.hypotheses = [[[1] for _ in range(BEAMS)] for _ in range(SENTENCES)]
        self.ended = [[] for _ in range(SENTENCES)]

    def extend(self, scores, places):
        chosen = []
        for at, (beams, row_scores, row) in enumerate(zip(self.hypotheses, scores.tolist(), places.tolist())):
            extended, missing = [], BEAMS
            for score, place in zip(row_scores, row):
                parent, token = place // VOCABULARY, place % VOCABULARY
                hypothesis = beams[parent] + [token]
                if token == END:
                    self.ended[at] = sorted([*self.ended[at], (score / len(hypothesis), hypothesis)])[-BEAMS:]
                elif missing:
                    missing -= 1
                    extended += [hypothesis]
                    chosen += [(at * BEAMS + parent, token, score)]
            self.hypotheses[at] = extended
        return [np.array(column) for column in zip(*chosen)]


class Arrays:
    """The same in arrays. Only sentences with a hypothesis that ended are looked at one by one."""

    def __init__(self):
        self.tokens = np.ones((SENTENCES, BEAMS, 1), np.int64)
        self.ended = [[] for _ in range(SENTENCES)]
        self.rows = np.arange(SENTENCES)[:, None]

    def extend(self, scores, places):
        parents, tokens = np.divmod(places, VOCABULARY)
        is_end = tokens == END
        for at, beam in zip(*is_end.nonzero()):
            hypothesis = [*self.tokens[at, parents[at, beam]].tolist(), END]
            score = float(scores[at, beam]) / len(hypothesis)
            self.ended[at] = sorted([*self.ended[at], (score, hypothesis)])[-BEAMS:]
        order = is_end.argsort(1, kind="stable")[:, :BEAMS]
        parents, tokens, scores = (np.take_along_axis(part, order, 1) for part in (parents, tokens, scores))
        self.tokens = np.concatenate([self.tokens[self.rows, parents], tokens[..., None]], 2)
        return (self.rows * BEAMS + parents).ravel(), tokens.ravel(), scores.ravel()


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.cell = nn.Embedding(VOCABULARY, WIDTH), nn.GRUCell(2 * WIDTH, WIDTH)
        self.ask, self.out = nn.Linear(WIDTH, WIDTH, bias=False), nn.Linear(2 * WIDTH, VOCABULARY)

    def forward(self, tokens, hidden, memory):
        weights = (self.ask(hidden)[:, None] @ memory.transpose(1, 2)).softmax(2)
        context = (weights @ memory)[:, 0]
        hidden = self.cell(torch.cat([self.embed(tokens), context], 1), hidden)
        return self.out(torch.cat([hidden, context], 1)).log_softmax(1), hidden


def build(device):
    torch.manual_seed(1)
    model = Decoder().to(device).eval()
    with torch.no_grad():
        model.out.bias[END] += 1.5
    memory = torch.randn(SENTENCES, WORDS, WIDTH, device=device).repeat_interleave(BEAMS, 0)

    def variant(make):
        result = torch.zeros(SENTENCES * BEAMS, device=device)

        @torch.no_grad()
        def step():
            search = make()
            hidden = memory.mean(1)
            tokens = torch.ones(SENTENCES * BEAMS, dtype=torch.int64, device=device)
            totals = torch.zeros(SENTENCES, BEAMS, device=device)
            totals[:, 1:] = -1e9  # all beams are the same at first
            for _ in range(TOKENS):
                scores, hidden = model(tokens, hidden, memory)
                scores = (totals[..., None] + scores.view(SENTENCES, BEAMS, VOCABULARY)).flatten(1)
                best = scores.topk(2 * BEAMS)
                parents, tokens, totals = search.extend(best.values.cpu().numpy(), best.indices.cpu().numpy())
                hidden = hidden[torch.as_tensor(parents, device=device)]
                tokens = torch.as_tensor(tokens, device=device)
                totals = torch.as_tensor(totals, dtype=torch.float32, device=device).view(SENTENCES, BEAMS)
            result.copy_(totals.flatten())

        return step, [result]

    (found, ours), (changed, theirs) = variant(Lists), variant(Arrays)
    return found, changed, (ours, theirs)
