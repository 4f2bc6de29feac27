/**
 * Lesson 2: what waiting for a value costs. The PyTorch code was run as it stands (H200, PyTorch 2.11), which is where the figures
 * in `carriesOver` are from; the 89 synchronising operations of one `print` were counted with `set_sync_debug_mode`.
 */
import { markRegions } from '../code-regions'
import type { Lesson } from '../lesson'
import { syncStallsCuda } from './cuda'
import { syncStallsQuiz } from './quiz'
import pytorchSource from './code/pytorch.py?raw'
import webgpuSource from './code/webgpu.ts.txt?raw'

export const syncStallsLesson: Lesson = {
  id: 'sync-stalls',
  number: 2,
  title: 'Host–device sync stalls',
  question: 'What does .item() or print(tensor) cost?',
  measures: 'How long your device stands idle each time your program asks it for a number.',
  minutes: 12,
  experiment: 'sync-stalls',
  values: {
    read: 'item',
    kernelMs: 0.3,
    every: ['never', 'every-4', 'every-step'],
    steps: 32,
    kernel: 'vectorised',
    repeats: 5,
  },
  intro: [
    'A training loop prints its loss. A `print(tensor)` from last week is still in there. An `if` looks at a value. None of these lines computes anything, and each may cost more than the matrix product above it.',
    'The number that `.item()` wants lives on [[device:the device]], and it does not exist until all the work queued before it has been done. So [[host:the host]] asks for a copy and [[wait:waits]]. While it waits it submits nothing. [[queue:The queue]] runs dry and the device falls [[idle:idle]].',
    'The lab runs the same matmuls in three ways: **never** reads nothing back; **every-4** reads 4 bytes after each 4th step; **every-step** reads 4 bytes after each one. Every matmul is sized for about 0.3 ms on your device.',
  ],
  prediction: {
    question:
      'Your host reads 4 bytes back after every step of about 0.3 ms. What share of the time is the device still computing?',
    metric: { name: 'device-busy-ratio', variant: 'every-step' },
    unit: '%',
    min: 0,
    max: 100,
    step: 1,
    start: 75,
    scale: 100,
    ends: ['idle all the time', 'computing all the time'],
  },
  code: [
    {
      dialect: 'pytorch',
      language: 'python',
      title: 'PyTorch',
      source: pytorchSource,
      regions: markRegions(pytorchSource, [
        ['setup', 'device = torch.device', 'c = torch.zeros'],
        ['read', 'if what == "item"', 'return False'],
        ['submit', 'c.addmm_(a, b)', 'c[0].sum()'],
        ['read', 'reads = every', 'branch = reads and read(what)'],
        ['wait', '    torch.cuda.synchronize()'],
      ]),
    },
    {
      dialect: 'webgpu',
      language: 'typescript',
      title: 'WebGPU',
      source: webgpuSource,
      regions: markRegions(webgpuSource, [
        ['encode', 'device.createCommandEncoder', 'encoder.copyBufferToBuffer'],
        ['submit', 'device.queue.submit'],
        ['wait', 'await readback.mapAsync'],
        ['read', 'readback.getMappedRange', 'a data-dependent if'],
        ['wait', 'device.queue.onSubmittedWorkDone'],
      ]),
    },
  ],
  steps: [
    {
      id: 'run',
      heading: 'Run all three',
      text: [
        'The three ways take turns, so that a device which warms up or slows down does so for all of them.',
      ],
      action: { label: 'Run never, every 4th, every step', values: {}, run: true },
      lookFor: [
        'In **never**: [[device:passes]] with hardly a slit between them. In **every-step**: thin passes far apart, each followed by a labelled [[idle:gap]] with the cause *host waited*. In **every-4**: four passes, one gap.',
      ],
    },
    {
      id: 'one-stall',
      heading: 'Take one stall apart',
      text: [
        'Go from gap to gap in **every-step** with `g`. A gap begins where a pass ended and ends where the next one began, and the device timed both edges itself: its length needs no fit between clocks.',
      ],
      lookFor: [
        'Above the gap, on [[host:the host]] lane, the [[wait:wait]] goes on well after the pass has ended: the value is there, and the host does not know. Then come encode and submit, short; then the way to the device. Which part is the longest? On the machines where this lab was made it is the not knowing.',
      ],
    },
    {
      id: 'matrix',
      heading: 'Read the whole matrix',
      text: [
        'Now do bytes matter? Read back the whole result instead of one number. In PyTorch that is `c.cpu()`. (`print(c)` of a large tensor fetches only the rows and columns it shows; but it waits for each of its small reads.)',
      ],
      action: { label: 'Read the whole matrix', values: { read: 'matrix' }, run: true, dial: 'read' },
      lookFor: [
        'The wait of a readback, beside that of the run before. What was there already is the price of asking. What has come on top is the price of the bytes, and it depends on how large a matrix 0.3 ms of work makes on your device.',
      ],
    },
    {
      id: 'shape',
      heading: 'Read only the shape',
      text: ['`print(c.shape)` looks like `print(c)`. Ask for the shape after every step.'],
      action: { label: 'Read only the shape', values: { read: 'shape' }, run: true, dial: 'read' },
      lookFor: [
        'No waits and no gaps: **every-step** looks like **never**. The host knew the shape before the device began, because the host chose it.',
      ],
    },
    {
      id: 'branch',
      heading: 'Decide by a value',
      text: [
        'There is no `.item()` in sight in `if c[0, 0] > 0:`, but to choose a branch the host must know the value.',
      ],
      action: { label: 'Branch on a value', values: { read: 'branch' }, run: true, dial: 'read' },
      lookFor: [
        'The same gaps as with `.item()`. This one cannot be put off until later: what is submitted next depends on it. Either the device decides (with a mask, a `select`, `torch.where`), or the host waits.',
      ],
    },
    {
      id: 'long-kernels',
      heading: 'Lengthen the kernel',
      text: ['Back to 4 bytes, but with matmuls of about 8 ms.'],
      action: { label: 'Matmuls of 8 ms', values: { kernelMs: 8 }, run: true, dial: 'kernelMs' },
      lookFor: [
        'The gap has not grown with the kernel. A fixed price per readback is ruinous for short steps and hardly worth a thought for long ones; so measure before you hunt for every `.item()`.',
      ],
    },
  ],
  carriesOver: [
    'In PyTorch these all wait for the current stream: `.item()`, `.tolist()`, `.cpu()`, `float(t)`, `if t > 0`, `print(t)`, and whatever must know how many elements there are, such as `t.nonzero()` or `t[mask]`. `torch.where` and `t.shape` do not. A single `print` of a 2048 × 2048 CUDA tensor waited 89 times (PyTorch 2.11).',
    '`torch.cuda.set_sync_debug_mode("warn")` points at most of them. PyTorch calls it experimental, and it does not see every one.',
    'The remedies carry over as they are. Add up the loss on the device and read the sum every hundredth step. Replace an `if` by `torch.where`. Start the copy early and look at it late.',
    'A late look needs care: `t.to("cpu", non_blocking=True)` into pinned memory returns before the bytes have arrived. Read them without waiting for an event or a synchronize, and you read whatever was there before.',
    'The size of the stall does not carry over. The PyTorch code above, on an H200: 0.349 ms a step without reading, 0.367 ms with `.item()` after every step. A stall of CUDA costs tens of microseconds, in a browser milliseconds. It bites CUDA programs whose kernels are short, or whose host needs its lead.',
  ],
  cuda: syncStallsCuda,
  cannot: [
    '**No synchronous readback.** `mapAsync()` is the one way from a buffer to the host, and it returns a promise. A blocking `mapSync` for workers has been under discussion since 2021 and does not exist. The host lane here is a program that awaits: its thread is free, and the device stands idle all the same.',
    '**No prompt word.** Chromium looks for finished work on a timer and whenever it handles commands, then sends a message. A page can neither hurry that nor see it. Submitting empty work in a tight loop to provoke a look makes matters far worse.',
    '**No event to wait for.** A copy that is read much later needs no stall, and `mapAsync()` can be called long before its promise is needed. `mapState` says whether it has arrived, but changes only between your tasks, never under running code.',
    '**No blame for each part.** Of the time between the end of a pass and your hearing of it, a page cannot say how much was timer, how much message and how much a busy event loop.',
  ],
  quiz: syncStallsQuiz,
  tryNext: [
    {
      label: 'Seldom enough',
      values: { every: ['never', 'every-64', 'every-16', 'every-step'], steps: 128 },
      why: 'How many steps must share one readback until you can no longer tell it from none?',
    },
    {
      label: 'Where the stall stops mattering',
      values: { kernelMs: 3 },
      why: 'Find the length of kernel at which **every-step** keeps the device busy half of the time. That length is what a stall costs you.',
    },
    {
      label: 'The whole matrix, long kernels',
      values: { read: 'matrix', kernelMs: 8 },
      why: 'The time of a matmul grows with the cube of its side, the bytes of its result with the square. Which wins?',
    },
  ],
  recording: 'sync-stalls.hdl.gz',
  sources: [
    {
      label: 'WebGPU specification: GPUBuffer.mapAsync()',
      url: 'https://gpuweb.github.io/gpuweb/#dom-gpubuffer-mapasync',
    },
    {
      label: 'gpuweb issue 2217: synchronous buffer mapping in workers',
      url: 'https://github.com/gpuweb/gpuweb/issues/2217',
    },
    {
      label: 'TensorFlow.js issue 351: a readback that is slow because it waits',
      url: 'https://github.com/tensorflow/tfjs/issues/351',
    },
    {
      label: 'Chromium: a timer looks for finished work (command_buffer_stub.cc)',
      url: 'https://github.com/chromium/chromium/blob/main/gpu/ipc/service/command_buffer_stub.cc',
    },
    {
      label: 'PyTorch: torch.Tensor.item',
      url: 'https://docs.pytorch.org/docs/stable/generated/torch.Tensor.item.html',
    },
    {
      label: 'PyTorch: torch.cuda.set_sync_debug_mode',
      url: 'https://docs.pytorch.org/docs/stable/generated/torch.cuda.set_sync_debug_mode.html',
    },
    {
      label: 'PyTorch: how a tensor is printed (_tensor_str.py)',
      url: 'https://github.com/pytorch/pytorch/blob/main/torch/_tensor_str.py',
    },
    {
      label: 'PyTorch issue 86264: reading too early after a non_blocking copy to the host',
      url: 'https://github.com/pytorch/pytorch/issues/86264',
    },
  ],
}
