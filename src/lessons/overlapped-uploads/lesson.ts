/**
 * Lesson 3: a ring of staging buffers hides uploads behind computing. The PyTorch code was run as it stands (H200, PyTorch 2.11),
 * which is where its figures in `carriesOver` are from; those of the device copy are measurements in Chromium on the same machine.
 */
import { markRegions } from '../code-regions'
import type { Lesson } from '../lesson'
import { overlappedUploadsCuda } from './cuda'
import { explainOverlappedUploads } from './explain'
import { overlappedUploadsQuiz } from './quiz'
import pytorchSource from './code/pytorch.py?raw'
import webgpuSource from './code/webgpu.ts.txt?raw'

export const overlappedUploadsLesson: Lesson = {
  id: 'overlapped-uploads',
  number: 3,
  title: 'Overlapped uploads',
  question: 'Can batch N+1 travel while batch N is computed?',
  measures: 'How much of the time for uploads a ring of staging buffers hides behind computing.',
  minutes: 15,
  experiment: 'overlapped-uploads',
  values: {
    rings: ['1', '2', '3'],
    balance: 1.5,
    batchMiB: 0,
    steps: 16,
    submission: 'together',
    kernel: 'vectorised',
    repeats: 3,
  },
  intro: [
    'Every step of training needs a new batch, and batches come from [[host:the host]]. Done one after the other, [[device:the device]] stands idle while a batch is on its way, and the way stands idle while the device computes. You pay for both.',
    "A page cannot write into the memory of a GPU. It writes into a [[staging:staging buffer]] that is *mapped*, which means it is the host's for the moment. `unmap()` gives it away, a copy command moves its bytes to where kernels can use them, and only when the submission with that copy has ended can the buffer be mapped again.",
    'With two such buffers, taken in turn, the host can fill one while the other is away. The lab measures computing alone, uploading alone, one after the other (**serial**), and rings of one, two and three. Computing is sized to take one and a half times as long as uploading.',
    'Two bounds are known before you run. Overlap cannot bring a step below the longer of the two by itself: that is the *ideal*. And one after the other takes their sum, at the least.',
  ],
  prediction: {
    question:
      'Computing a batch takes 1.5 times as long as uploading it, so one after the other is at least 1.67 times the ideal. What will a ring of two come to?',
    metric: { name: 'versus-ideal', variant: 'ring-2' },
    unit: '× the ideal',
    min: 1,
    max: 2.5,
    step: 0.05,
    start: 2,
    scale: 1,
    ends: ['upload wholly hidden', 'nothing hidden'],
  },
  code: [
    {
      dialect: 'pytorch',
      language: 'python',
      title: 'PyTorch',
      source: pytorchSource,
      regions: markRegions(pytorchSource, [
        ['setup', 'host = [torch', 'used = [torch'],
        ['wait', 'used[slot].synchronize()'],
        ['fill', 'host[slot].copy_(source)'],
        ['submit', 'batch[step % 2].copy_', 'used[slot].record()'],
        ['wait', 'if wait_each:', '# serial'],
        ['wait', '# all of it is done'],
      ]),
    },
    {
      dialect: 'webgpu',
      language: 'typescript',
      title: 'WebGPU',
      source: webgpuSource,
      regions: markRegions(webgpuSource, [
        ['wait', 'await slot.mapped'],
        ['fill', 'slot.staging.getMappedRange', 'slot.staging.unmap'],
        ['encode', 'device.createCommandEncoder', 'encodeMatmul'],
        ['submit', 'device.queue.submit'],
        ['wait', 'device.queue.onSubmittedWorkDone'],
      ]),
    },
  ],
  steps: [
    {
      id: 'run',
      heading: 'Run every way',
      text: [
        'Batch and matmul are sized from what your machine was measured to do a moment ago. After each repeat, samples of each batch are compared with what was sent, so that no way of running can win by leaving something out.',
      ],
      action: { label: 'Run serial and rings of 1, 2, 3', values: {}, run: true },
      lookFor: [
        'In **serial** and **ring-1** the [[device:device]] lane and the [[staging:filling]] take turns, with holes in both. In **ring-2** the fillings lie *below* the passes of the batch before, and the holes in the device lane close.',
      ],
    },
    {
      id: 'one-buffer',
      heading: "Follow one buffer's life",
      text: [
        'Zoom in on one staging lane of **ring-2** and read its states from left to right: mapped, filled, in flight, mapped again.',
      ],
      lookFor: [
        "*In flight* is long. It holds everything after `unmap()`: the browser's copying, the queue, the copy on the device, the matmul in the same submission, and your hearing of its end. The [[transfer:copy on the device]] is the strip in the device lane. It is drawn as long as it can at most have been, and is still a small part of the whole.",
      ],
    },
    {
      id: 'deeper',
      heading: 'Deepen the ring',
      text: ['If two buffers are better than one, are eight better than two?'],
      action: {
        label: 'Rings of 1, 2, 4, 8',
        values: { rings: ['1', '2', '4', '8'] },
        run: true,
        dial: 'rings',
      },
      lookFor: [
        'Where the device lane has no holes left, there is nothing more to gain. Each further buffer costs its size in memory and lets the host run further ahead of what is computed.',
      ],
    },
    {
      id: 'upload-bound',
      heading: 'Let uploads take longer',
      text: [
        'Now uploading a batch takes twice as long as computing it. Before you run: which of the two lanes will be full, and can any ring change that?',
      ],
      action: { label: 'Upload twice as long', values: { balance: 0.5 }, run: true, dial: 'balance' },
      lookFor: [
        'The device has [[idle:gaps]] again, with the cause *upload not ready*. The ring still hides the shorter of the two, only now that is the computing. What helps here is fewer bytes, not more buffers.',
      ],
    },
    {
      id: 'split',
      heading: 'Give the copy a submission of its own',
      text: [
        'A staging buffer can be mapped again when the submission that used it has ended. So far that submission held the matmul too.',
      ],
      action: {
        label: 'Copy and compute apart',
        values: { submission: 'split' },
        run: true,
        dial: 'submission',
      },
      lookFor: [
        'Look at **ring-1** first. Its buffer may come back while the matmul still runs, and then the host can fill it in time. Whether it does on your machine depends on when the browser notices that the copy has ended.',
      ],
    },
  ],
  explain: explainOverlappedUploads,
  carriesOver: [
    'In PyTorch the ring is mostly kept for you: `DataLoader(dataset, num_workers=4, pin_memory=True)` prepares batches in other processes and puts them into pinned memory, and `batch.to(device, non_blocking=True)` starts the copy and returns. From pageable memory the driver has to stage the bytes first, and the same call keeps the host for that.',
    '`non_blocking=True` frees the host. For the copy to run beside a kernel *on the device*, it also needs a stream of its own and an event that orders the two, as in the code above. That code, on an H200: 4.07 ms a step with a ring of one, 2.84 with two, 2.85 with three.',
    'The ring of states is the same in both: free, being filled, in flight, free again. `copied[slot].synchronize()` there is `await slot.mapped` here. Fill a buffer that is still in flight and you corrupt a batch: CUDA lets you, WebGPU does not.',
    'Pinning has a price. `tensor.pin_memory()` allocates and copies on the host; in a loop it can cost more than it saves. Pin once and reuse: that is what a ring is.',
    'The order of the figures carries over, the figures do not: the same machine with an H200 moves 55 GB/s from pinned memory in PyTorch and a few GB/s through a browser.',
  ],
  cuda: overlappedUploadsCuda,
  cannot: [
    '**No streams and no copy queue.** One queue takes copies and kernels in order. A device may run a copy beside an earlier kernel that shares nothing with it, but you can neither ask for that nor rely on it, and the lab claims it nowhere.',
    '**No pinned memory.** What you map in Chromium is memory shared with another process, not memory that the GPU reads. How many copies follow depends on browser, version, system and size; the lab says *up to* and never a number.',
    '**No clock around the crossing.** Timestamps exist at the begin and end of passes. The time of the copy is bracketed by two passes, an upper bound; the crossing of the bus happens earlier, in the browser, and cannot be timed from a page.',
    '**No word that the queue is full.** Nothing stops a page from staging more than the machine can hold. The ring is the limit you set yourself: as many batches under way as it has buffers.',
    '**No second device as a second stream.** Two devices of one adapter share no buffers, and on the H200 that we tried they took turns.',
  ],
  quiz: overlappedUploadsQuiz,
  tryNext: [
    {
      label: 'Evenly matched',
      values: { balance: 1 },
      why: 'With both equally long there is the most to gain: twice the speed of serial, at best. How near do you come?',
    },
    {
      label: 'Compute four times as long',
      values: { balance: 4 },
      why: 'The upload can be hidden altogether. How much does that save, against serial?',
    },
    {
      label: 'Small batches',
      values: { batchMiB: 0.25 },
      why: 'Everything that is paid once a batch now weighs more. Does the ring still help, and would a deeper one?',
    },
    {
      label: 'More batches',
      values: { steps: 48 },
      why: 'The first upload and the last matmul can never be hidden. Over more batches they count for less.',
    },
  ],
  recording: 'overlapped-uploads.hdl.gz',
  sources: [
    {
      label: 'WebGPU specification: memory model, from script memory to the device',
      url: 'https://gpuweb.github.io/gpuweb/#programming-model-memory',
    },
    {
      label: 'WebGPU specification: GPUBuffer.mapAsync()',
      url: 'https://gpuweb.github.io/gpuweb/#dom-gpubuffer-mapasync',
    },
    {
      label: 'WebGPU buffer upload best practices (Brandon Jones)',
      url: 'https://toji.dev/webgpu-best-practices/buffer-uploads.html',
    },
    {
      label: 'Chromium: a mapped range is a shadow copy (gpu_buffer.cc)',
      url: 'https://github.com/chromium/chromium/blob/main/third_party/blink/renderer/modules/webgpu/gpu_buffer.cc',
    },
    {
      label: 'gpuweb issue 478: more than one queue',
      url: 'https://github.com/gpuweb/gpuweb/issues/478',
    },
    {
      label: 'PyTorch: a guide on good usage of non_blocking and pin_memory()',
      url: 'https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html',
    },
    {
      label: 'PyTorch: torch.utils.data, memory pinning',
      url: 'https://docs.pytorch.org/docs/stable/data.html#memory-pinning',
    },
    {
      label: 'NVIDIA: how to overlap data transfers in CUDA C/C++',
      url: 'https://developer.nvidia.com/blog/how-overlap-data-transfers-cuda-cc/',
    },
  ],
}
