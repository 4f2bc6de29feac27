import torch

n, count = 4096, 8
a, b = (torch.randn(n, n, device="cuda") for _ in range(2))
other = torch.cuda.Stream()


def handle(result: torch.Tensor) -> None:
    print(result[0, 0].item())


# Wait for one: an event behind each product.
results, done = [], []
for _ in range(count):
    results.append(a @ b)  # returns before it has run
    done.append(torch.cuda.Event())
    done[-1].record()
done[0].synchronize()  # the first; the others go on
print("the first is there")
torch.cuda.synchronize()  # all of them

# A second stream: order only where you ask for it.
x = a @ b
other.wait_stream(torch.cuda.current_stream())  # forget it, and y may be read from a half-made x
with torch.cuda.stream(other):
    y = x @ b
    x.record_stream(other)  # forget it, and x's memory may be given away while y is being made
done[-1].record(other)
torch.cuda.current_stream().wait_event(done[-1])
handle(y)
