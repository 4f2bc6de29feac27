/**
 * Lesson 4: where the GPU is not worth the way there. The bandwidths in `carriesOver` are measurements of PyTorch and of Chromium on
 * the same machine (H200), the crossing there is what `code/pytorch.py` printed; the price of a readback is that of lesson 2.
 */
import { markRegions } from '../code-regions'
import type { Lesson } from '../lesson'
import { explainWorthIt } from './explain'
import { worthItQuiz } from './quiz'
import pytorchSource from './code/pytorch.py?raw'
import webgpuSource from './code/webgpu.ts.txt?raw'

export const worthItLesson: Lesson = {
  id: 'worth-it',
  number: 4,
  title: 'Processor against GPU',
  question: 'When is the GPU not worth it?',
  measures:
    'The size of matrix from which the way to the GPU and back pays, and what a rule of thumb makes of it.',
  minutes: 14,
  experiment: 'worth-it',
  values: {
    uses: 1,
    sizes: ['32', '64', '128', '192', '256', '384', '512', '768', '1024', '1536', '2048'],
    kernel: 'vectorised',
    repeats: 5,
  },
  intro: [
    'Somebody moves a small matrix product to the GPU, `a.to("cuda") @ b.to("cuda")`, and the program becomes slower. The GPU multiplies many times faster than the processor. But the matrices are in the memory of [[host:the host]], the result is wanted there, and between the two lies a way.',
    'The lab multiplies matrices of many sizes in three ways. **cpu**: by the processor, with WebAssembly SIMD and threads where the page may have them, from a library made for it. **round-trip**: both matrices [[staging:up through staging buffers]], multiplied [[device:on the device]], the product read back and [[wait:awaited]]. **resident**: on matrices that are on the device already, queued, and left there.',
    'There is a rule of thumb: the device is worth it when the time it saves by computing exceeds the bytes divided by the bandwidth. The lab measures everything that the rule needs, works out the size it names, and compares that with the size at which the measured curves cross.',
  ],
  prediction: {
    question:
      'Two 128 × 128 matrices go to the device, are multiplied there, and the product comes back. What share of that time is the device computing?',
    metric: { name: 'kernel-share', variant: 'round-trip-128' },
    unit: '%',
    min: 0,
    max: 100,
    step: 1,
    start: 50,
    scale: 100,
    ends: ['hardly any of it', 'nearly all of it'],
  },
  code: [
    {
      dialect: 'pytorch',
      language: 'python',
      title: 'PyTorch',
      source: pytorchSource,
      regions: markRegions(pytorchSource, [
        ['fill', 'a, b = a.to(device), b.to(device)'],
        ['submit', 'c = a @ b  # launches'],
        ['wait', 'return c.cpu()'],
      ]),
    },
    {
      dialect: 'webgpu',
      language: 'typescript',
      title: 'WebGPU',
      source: webgpuSource,
      regions: markRegions(webgpuSource, [
        ['fill', 'await slot.mapped', 'slot.staging.unmap'],
        ['encode', 'device.createCommandEncoder', 'encoder.copyBufferToBuffer(c, 0'],
        ['submit', 'device.queue.submit'],
        ['wait', 'await readback.mapAsync'],
        ['read', 'readback.getMappedRange', 'readback.unmap'],
      ]),
    },
  ],
  steps: [
    {
      id: 'run',
      heading: 'Run every size, three ways',
      text: [
        'Each size is run by the processor and by the device in turn, as far as the machine is fast enough for it: a size that would take too long is left out and named. The first run loads the library of the processor, some megabytes. Every product is checked against a reference, those of the processor as well.',
      ],
      action: { label: 'Run all sizes', values: {}, run: true },
      lookFor: [
        'In *Time by size* both axes are logarithmic. The line of the [[host:processor]] climbs from the left; the [[wait:round trip]] stays level for a long stretch, since its price hardly depends on the size, and only then begins to climb. Where they cross is the answer. The bands show how sure it is.',
      ],
    },
    {
      id: 'apart',
      heading: 'Take a round trip apart',
      text: [
        'Find **round-trip-128** in the timeline. Follow one operation: two staging buffers filled, one submission, one [[device:pass]], one wait, one copy out. Then compare *What a round trip is made of* over the sizes.',
      ],
      lookFor: [
        'How wide is the pass under the [[wait:wait]]? A kernel ten times as fast would shorten the pass, and nothing else. From which size on would that be worth anything?',
      ],
    },
    {
      id: 'reuse',
      heading: 'Use each upload sixteen times',
      text: [
        'Weights are uploaded once and used for every input. Let each upload serve 16 products; the processor does 16 as well.',
      ],
      action: { label: 'Sixteen products on each upload', values: { uses: 16 }, run: true, dial: 'uses' },
      lookFor: [
        'The line of the round trip keeps its level, while that of the processor is 16 times as high. The crossing moves to the left. Sizes that now take too long are left out.',
      ],
    },
    {
      id: 'kernel',
      heading: 'Slow the kernel down',
      text: [
        'Back to one product on each upload, but with the plainest kernel there is: one thread for each entry, each operand from memory. With large matrices it is many times slower.',
      ],
      action: { label: 'The naive kernel', values: { kernel: 'naive' }, run: true, dial: 'kernel' },
      lookFor: [
        'Did the crossing move? The line of what is [[device:resident]] has, at every size that fills the device. If the crossing lies where the round trip is level, the kernel has little say in it. The lesson on kernels asks where it does.',
      ],
    },
    {
      id: 'large',
      heading: 'Go far beyond the crossing',
      text: ['Only large matrices, up to 3072 × 3072.'],
      action: {
        label: 'Large matrices',
        values: { sizes: ['512', '768', '1024', '1536', '2048', '3072'] },
        run: true,
        dial: 'sizes',
      },
      lookFor: [
        'The distance between processor and round trip widens with n, as n³ outgrows n². So does the share of a round trip in which the device computes. How much of it is still the way, at the largest size?',
      ],
    },
  ],
  explain: explainWorthIt,
  carriesOver: [
    'The picture carries over whole: a level line for the round trip, a steep one for the processor, and a crossing that moves left with every further use of what is there. So do the remedies. Keep data on the device between steps, upload what is used often once, make batches so that one trip carries more, and leave small work on the processor.',
    'The numbers do not. On a machine with an H200, PyTorch moved 55 GB/s from pinned memory and 26 GB/s from pageable memory; a page on the same machine got 4 to 9 GB/s through staging buffers. And a readback costs tens of microseconds there, milliseconds in a browser. Both pull the crossing of a CUDA program to the left.',
    'The processor pulls it to the right again: PyTorch calls a library with vectors of 256 or 512 bits where the machine has them, and WebAssembly SIMD has 128. Where the two pulls leave the crossing, only the code above can say. On the machine with the H200 (16 processor threads, PyTorch 2.11) it said: at n = 512 the processor took 0.18 ms and the way there and back 0.30 ms, at n = 1024 1.3 ms and 0.89 ms. With sixteen products on each upload the crossing lay between 128 and 256. Run it on yours.',
    'Count honestly, also in PyTorch: `a.to("cuda")` belongs to the time if `a` was on the host, and `.cpu()` or `torch.cuda.synchronize()` must stand before the clock is stopped. Otherwise the launch is timed, not the product.',
    'The same sum decides inside libraries. The WebGL backend of TensorFlow.js computes some small operations on the processor when their inputs are there already, instead of sending them to the GPU.',
  ],
  cannot: [
    '**No shared memory between page and device.** On many laptops and phones processor and GPU share one memory, and a native program can hand a matrix over without a copy. WebGPU has no buffer that both may read; the copies are made there too.',
    "**No view of the way.** Filling and awaiting can be timed, the kernel by its own clock. What lies between, the browser's copying and the bus, is one sum: *the host waits besides*.",
    '**No pinned memory, no direct readback.** A result reaches the page through a buffer that is copied to, mapped, and copied out again.',
    '**No choice of processors.** How many cores the machine really has, and which of them are the fast ones, a page cannot know. The lab takes half of the logical ones for its threads, and one where the page is not isolated; the figures say how many.',
  ],
  quiz: worthItQuiz,
  tryNext: [
    {
      label: 'How much reuse is enough?',
      values: { uses: 4 },
      why: 'Between 1 and 16: does the crossing move in step with the uses, or in step with their cube root? The rule with latency has an answer; test it.',
    },
    {
      label: 'Around the crossing only',
      values: { sizes: ['192', '256', '384', '512', '768'], repeats: 9 },
      why: 'More repeats and fewer sizes narrow the band. Choose the sizes on both sides of *your* crossing.',
    },
    {
      label: 'Small matrices, often',
      values: { uses: 64, sizes: ['16', '24', '32', '48', '64', '96', '128'] },
      why: 'Sixty-four products on each upload. Is a matrix of 64 × 64 worth the way now?',
    },
  ],
  recording: 'worth-it.hdl.gz',
  sources: [
    {
      label: 'WebGPU specification: buffer mapping',
      url: 'https://gpuweb.github.io/gpuweb/#buffer-mapping',
    },
    {
      label: 'TensorFlow.js issue 826: send operations to the CPU where that would be faster',
      url: 'https://github.com/tensorflow/tfjs/issues/826',
    },
    {
      label: 'ONNX Runtime Web: threads and SIMD of its WebAssembly',
      url: 'https://onnxruntime.ai/docs/api/js/interfaces/Env.WebAssemblyFlags.html',
    },
    {
      label: 'WebAssembly SIMD: vectors of 128 bits',
      url: 'https://github.com/WebAssembly/simd/blob/main/proposals/simd/SIMD.md',
    },
    {
      label: 'CUDA C++ Best Practices Guide: data transfer between host and device',
      url: 'https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/#data-transfer-between-host-and-device',
    },
    {
      label: 'PyTorch: asynchronous execution, and what it means for timing',
      url: 'https://docs.pytorch.org/docs/stable/notes/cuda.html#asynchronous-execution',
    },
    {
      label: 'PyTorch: torch.set_num_threads',
      url: 'https://docs.pytorch.org/docs/stable/generated/torch.set_num_threads.html',
    },
  ],
}
