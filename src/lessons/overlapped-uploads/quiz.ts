import type { QuizItem } from '../lesson'

export const overlappedUploadsQuiz: readonly QuizItem[] = [
  {
    id: 'why-not-one',
    question:
      'Copy and matmul of a step are in one submission. Why does a ring of *one* staging buffer overlap next to nothing, and a ring of two nearly everything?',
    options: [
      {
        text: 'Two buffers carry twice as many bytes at a time.',
        correct: false,
        explanation:
          'Each step uploads one batch, whatever the depth of the ring. Twice the buffers do not widen the way; they let two things happen in two places.',
      },
      {
        text: 'With one buffer the device cannot copy and compute at the same time; with two it copies beside the kernel.',
        correct: false,
        explanation:
          'The device copies and computes in the order of its one queue in both cases. The ring changes what the *host* can do while the device computes.',
        misconception: 'M4',
      },
      {
        text: '`mapAsync()` on a ring of one blocks the host thread.',
        correct: false,
        explanation:
          'It never blocks; it returns a promise. The host may do as it likes, only it has no buffer to write the next batch into.',
        misconception: 'M2',
      },
      {
        text: 'With one, the buffer is away until its submission ends; with two, the host fills the other.',
        correct: true,
        explanation:
          'A mapped buffer belongs to the host, a submitted one to the device, and never to both. The second buffer is what gives each side something to work on.',
      },
    ],
  },
  {
    id: 'why-one-stream',
    question:
      'In PyTorch you pin a batch, call `.to(device, non_blocking=True)` and then multiply by it, all on the default stream. Why does the copy not run beside the matmul of the batch before?',
    options: [
      {
        text: 'It does: pinned memory and `non_blocking=True` are all it takes.',
        correct: false,
        explanation:
          'They are half of it. They let the host go on, and allow the device to copy in the background; but within one stream each operation waits for the one before.',
        misconception: 'M4',
      },
      {
        text: 'A stream runs its operations in order. `non_blocking` frees the host, not the stream.',
        correct: true,
        explanation:
          'To run beside each other on the device, copy and kernel need two streams, and an event that makes the kernel wait for its own batch: see the PyTorch code above.',
      },
      {
        text: '`non_blocking=True` takes effect only with pageable memory.',
        correct: false,
        explanation:
          'The other way round: from pageable memory the driver first has to move the bytes into pinned memory of its own, and the call keeps the host for that.',
      },
      {
        text: 'It would, if every batch were pinned in the loop with `pin_memory()`, which costs nothing.',
        correct: false,
        explanation:
          "Pinning allocates page-locked memory and copies the tensor into it, on the host, before the transfer begins. PyTorch's own guide finds `t.pin_memory().to(device, non_blocking=True)` up to twice as slow as plain `.to(device)`. Pin once and reuse, or let the `DataLoader` do it in its own thread.",
        misconception: 'M6',
      },
    ],
  },
  {
    id: 'why-too-fast',
    question:
      'On an H200, timestamps around the device copy show 0.16 ms for 64 MiB: about 400 GB/s, far more than its PCIe link can carry. Why?',
    options: [
      {
        text: 'The bytes had crossed before: the browser moved them when the buffer was unmapped.',
        correct: true,
        explanation:
          'The copy that you encode runs last, inside the device. The crossing happened on the way there, between `unmap()` and the copy, where a page has no clock. So a time around a copy is not the time of an upload.',
      },
      {
        text: 'The second timestamp was taken before the asynchronous copy had ended.',
        correct: false,
        explanation:
          'The bracket ends where a pass ends that reads what was copied, and that pass cannot end before the copy has. So the bracket is too wide rather than too narrow: an upper bound.',
      },
      {
        text: 'The link compresses the batch, so that more bytes cross than its rate allows.',
        correct: false,
        explanation:
          'It does not. The batches are pseudo-random numbers, which would not compress in any case, and samples of each are checked after the run.',
      },
      {
        text: 'It shows what the hardware can do: a link is faster than its data sheet when measured on the device.',
        correct: false,
        explanation:
          'When a figure beats what is physically possible, doubt what it measures before you believe it. The timestamps are right; they stand around something other than the crossing.',
        misconception: 'M8',
      },
    ],
  },
]
