"""A server: one thread tokenizes and launches the encoder, another one the head. Its client has two requests under way."""

import queue
import re
import threading

import torch
from parts import Transformer
from torch import nn

ID = "server-of-two-threads"
QUESTION = (
    "Two threads of a server launch kernels, and the GPU idles most of the time. Is it the handing over between them? "
    "(No: the first one tokenizes in Python before it launches.)"
)
CHANGE = "The server knows the tokens of texts that it has seen."
CAUSE = "host-code"
FIRST = "host-code"
STACK = False
ROUND_S = 0.2
ROWS, LENGTH, WIDTH, CLASSES, REQUESTS = 32, 128, 512, 64, 8
WORDS = re.compile(r"\w+|[^\w\s]")


class Tokenizer:
    """Words are cut into the longest pieces that are known, from the left."""

    def __init__(self, does_keep):
        letters = "abcdefghijklmnopqrstuvwxyz"
        self.pieces = {letter: at for at, letter in enumerate(letters)}
        self.pieces |= {a + b: 26 + 26 * at + to for at, a in enumerate(letters) for to, b in enumerate(letters)}
        self.kept = {} if does_keep else None

    def cut(self, word):
        tokens = []
        while word:
            size = min(4, len(word))
            while size > 1 and word[:size] not in self.pieces:
                size -= 1
            tokens.append(self.pieces.get(word[:size], 1000))
            word = word[size:]
        return tokens

    def __call__(self, text):
        if self.kept is not None and text in self.kept:
            return self.kept[text]
        tokens = [token for word in WORDS.findall(text.lower()) for token in self.cut(word)][:LENGTH]
        tokens += [1001] * (LENGTH - len(tokens))
        if self.kept is not None:
            self.kept[text] = tokens
        return tokens


class Server:
    def __init__(self, encoder, head, tokenizer, device):
        self.encoder, self.head, self.tokenizer, self.device = encoder, head, tokenizer, device
        self.asked, self.encoded, self.replies = (queue.SimpleQueue() for _ in range(3))
        for work in (self.encode, self.answer):
            threading.Thread(target=work, daemon=True).start()

    @torch.inference_mode()
    def encode(self):
        stream = torch.cuda.Stream()
        while True:
            tokens = torch.tensor([self.tokenizer(text) for text in self.asked.get()])
            with torch.cuda.stream(stream):
                states = self.encoder(tokens.pin_memory().to(self.device, non_blocking=True))
            self.encoded.put((states, stream.record_event()))

    @torch.inference_mode()
    def answer(self):
        stream = torch.cuda.Stream()
        while True:
            states, is_encoded = self.encoded.get()
            stream.wait_event(is_encoded)
            states.record_stream(stream)
            with torch.cuda.stream(stream):
                chances = self.head(states.mean(1)).float().softmax(1)
                self.replies.put(chances.tolist())


def build(device):
    torch.manual_seed(1)
    encoder = Transformer(WIDTH, 4, length=LENGTH).to(device, torch.bfloat16).eval()
    encoder.head = nn.Identity()
    head = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.GELU(), nn.Linear(WIDTH, CLASSES)).to(device, torch.bfloat16)
    texts = [
        [" ".join(f"wort{chr(97 + (at * row + at) % 26)}lich{'!' if at % 7 == 0 else ''}" for at in range(60 + row + number))
         for row in range(ROWS)]
        for number in range(REQUESTS)
    ]
    torch.cuda.synchronize()

    def variant(does_keep):
        server = Server(encoder, head, Tokenizer(does_keep), device)
        answers = torch.zeros(ROWS, CLASSES)
        number = 0
        server.asked.put(texts[0])

        def step():
            nonlocal number
            number += 1
            server.asked.put(texts[number % REQUESTS])
            answers.copy_(torch.tensor(server.replies.get()))

        return step, [answers]

    (found, ours), (changed, theirs) = variant(False), variant(True)
    return found, changed, (ours, theirs)
