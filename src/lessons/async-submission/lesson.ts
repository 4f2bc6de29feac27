/**
 * Lesson 1: `submit()` hands work over and returns. The PyTorch code was run as it stands (H200, PyTorch 2.11), which is where the two
 * figures in `carriesOver` are from.
 */
import { markRegions } from '../code-regions'
import type { Lesson } from '../lesson'
import { asyncSubmissionCuda } from './cuda'
import { asyncSubmissionQuiz } from './quiz'
import pytorchSource from './code/pytorch.py?raw'
import webgpuSource from './code/webgpu.ts.txt?raw'

export const asyncSubmissionLesson: Lesson = {
  id: 'async-submission',
  number: 1,
  title: 'Asynchronous submission',
  question: 'Why does submit() return at once?',
  measures: 'How far your host runs ahead of your device, and the times in the life of every command.',
  minutes: 10,
  experiment: 'async-submission',
  values: { steps: 48, kernelMs: 2, kernel: 'vectorised', repeats: 5 },
  intro: [
    'You call `queue.submit()` and the next line of your program runs almost at once. The matrix product that you asked for has not been computed. Often the device has not even begun.',
    'Two machines are at work here. [[host:The host]] runs your code: it records commands and hands them over. [[device:The device]] carries them out, in order and at its own pace. Between the two lies [[queue:a queue]]. `submit()` puts work in at one end; it does not wait for anything to come out at the other.',
    'So a command has four times: it is *encoded*, *submitted*, *started* and *done*. And because the two machines share no clock and no memory, a fifth: the moment your program *heard* that it was done.',
    'The lab multiplies matrices, each multiplication sized for about 2 ms on your device and each in a submission of its own. It does so in two ways: **queued** submits them all and waits once, at the end; **await-each** waits after every single one.',
  ],
  prediction: {
    question:
      'Queued: 48 matmuls of about 2 ms each are submitted, then the host waits once. For what share of that time is your host free, neither encoding nor submitting?',
    metric: { name: 'host-free-ratio', variant: 'queued' },
    unit: '%',
    min: 0,
    max: 100,
    step: 1,
    start: 40,
    scale: 100,
    ends: ['at work all the time', 'free all the time'],
  },
  code: [
    {
      dialect: 'pytorch',
      language: 'python',
      title: 'PyTorch',
      source: pytorchSource,
      regions: markRegions(pytorchSource, [
        ['setup', 'device = torch.device', 'c = torch.zeros'],
        ['submit', 'c.addmm_(a, b)'],
        ['wait', 'if wait_each:', 'blocks this thread'],
        ['wait', 'launched = time', 'done = time'],
      ]),
    },
    {
      dialect: 'webgpu',
      language: 'typescript',
      title: 'WebGPU',
      source: webgpuSource,
      regions: markRegions(webgpuSource, [
        ['encode', 'device.createCommandEncoder', 'encoder.finish()'],
        ['submit', 'device.queue.submit'],
        ['wait', 'await done'],
      ]),
    },
  ],
  steps: [
    {
      id: 'run',
      heading: 'Run both ways',
      text: [
        'Each way is run several times, turn about, after one warm-up that is not counted. The band across the top of the timeline says which is which.',
      ],
      action: { label: 'Run 48 steps of about 2 ms', values: {}, run: true },
      lookFor: [
        'In **queued**: thin marks on [[host:the host]] lane at the left, one pair of encode and submit a step, then one long [[wait:wait]]. [[queue:The queue]] climbs like a wall and drains one step at a time. [[device:Device]] passes stand shoulder to shoulder.',
        'In **await-each**: the queue never holds more than one, and between any two device passes there is a [[idle:gap]].',
      ],
    },
    {
      id: 'follow',
      heading: 'Follow one command',
      text: [
        'Select a pass on the device lane of **queued**; take one from the middle. The details list the times of its submission: encoded, submitted, started, done, and when the host heard. The arrows run from the call to the pass and on to the wait that ended because of it.',
      ],
      lookFor: [
        'The time between submitted and started is spent in [[queue:the queue]]. It grows from the first step to the last, while the time between started and done stays what it is. Nothing became slower: the host got further ahead.',
      ],
    },
    {
      id: 'short-kernels',
      heading: 'Shorten the kernel',
      text: [
        'Waiting after each step costs something. Is that a share of the step, or a fixed sum? Make the matmul ten times shorter and see which of the two stays as it was.',
      ],
      action: { label: 'Matmuls of 0.2 ms', values: { kernelMs: 0.2 }, run: true, dial: 'kernelMs' },
      lookFor: [
        'In **await-each** the [[device:passes]] shrink and the [[idle:gaps]] do not. A fixed sum, then: the shorter your kernels, the larger the share that waiting takes.',
      ],
    },
    {
      id: 'long-kernels',
      heading: 'Lengthen the kernel',
      text: ['Now the other way: each matmul takes about 10 ms.'],
      action: { label: 'Matmuls of 10 ms', values: { kernelMs: 10 }, run: true, dial: 'kernelMs' },
      lookFor: [
        'The same gap now stands beside a pass many times its length. Compare the step time of the two ways: beside kernels this long, even code that waits each time keeps the device nearly busy.',
      ],
    },
    {
      id: 'more-steps',
      heading: 'Run further ahead',
      text: [
        'How far can a host run ahead? WebGPU names no limit and never says *full*. The lab keeps to about half a second of queued work, because queued work cannot be called back.',
      ],
      action: { label: '192 steps', values: { steps: 192 }, run: true, dial: 'steps' },
      lookFor: [
        'The deepest queue, and whether the marks on [[host:the host]] lane stay thin to the last. If some calls of `submit()` become long, the way to the browser has filled up: that is the only push back a page ever feels.',
      ],
    },
  ],
  carriesOver: [
    'CUDA works the same way. `c.addmm_(a, b)` on a CUDA tensor puts a kernel into the current stream and returns; Python goes on. The code above, on an H200 with PyTorch 2.11, had handed over its 48 launches after 0.44 ms; the device was done after 130 ms.',
    'A clock around such a call times the launch. To time the work, let the device itself take the times (CUDA events, timestamp queries), or wait on both sides of what you time.',
    '`torch.cuda.synchronize()` stands where `await queue.onSubmittedWorkDone()` stands here. `CUDA_LAUNCH_BLOCKING=1` makes every launch wait, as **await-each** does: useful to find which call failed, since with a queue an error shows long after the line that caused it.',
    'What carries over is the shape: run ahead, and wait only for what you need. The figures do not. A CUDA driver tells a waiting thread within tens of microseconds; word from a browser goes through another process and takes far longer.',
  ],
  cuda: asyncSubmissionCuda,
  cannot: [
    '**No blocking wait.** There is nothing like `synchronize()` that holds the thread. `await` gives the thread back to the event loop. A loop that spins until a promise settles never ends, because the thread that would settle it is spinning.',
    '**One queue.** A `GPUDevice` has exactly one queue: no streams, no priorities, no second line to overtake in.',
    '**No question in between.** You can hear that everything up to a point is done. You cannot ask whether a given command has begun; timestamps tell that later, when they are read back.',
    '**No common clock.** Timestamps and `performance.now()` share neither origin nor rate, and WebGPU offers nothing to relate them. The lab bounds the relation from cause and effect, and draws the bound; see *Method*.',
    "**No view of the way.** What the browser's GPU process does with a submission before the device sees it cannot be observed from a page.",
  ],
  quiz: asyncSubmissionQuiz,
  tryNext: [
    {
      label: 'One step only',
      values: { steps: 1 },
      why: 'With nothing behind it in the queue, is there still a difference between the two ways?',
    },
    {
      label: 'Many tiny kernels',
      values: { steps: 384, kernelMs: 0.1 },
      why: 'Near the point where recording a step takes as long as computing it, who sets the pace?',
    },
    {
      label: 'The naive kernel',
      values: { kernel: 'naive' },
      why: 'A slower kernel gets a smaller matrix, so that it takes as long. Does anything in this lesson depend on how good the kernel is?',
    },
  ],
  recording: 'async-submission.hdl.gz',
  sources: [
    {
      label: 'WebGPU specification: content, device and queue timelines',
      url: 'https://gpuweb.github.io/gpuweb/#programming-model-timelines',
    },
    {
      label: 'WebGPU specification: GPUQueue.submit()',
      url: 'https://gpuweb.github.io/gpuweb/#dom-gpuqueue-submit',
    },
    {
      label: 'WebGPU specification: GPUQueue.onSubmittedWorkDone()',
      url: 'https://gpuweb.github.io/gpuweb/#dom-gpuqueue-onsubmittedworkdone',
    },
    {
      label: 'Chromium: submit() flushes at once (gpu_queue.cc)',
      url: 'https://github.com/chromium/chromium/blob/main/third_party/blink/renderer/modules/webgpu/gpu_queue.cc',
    },
    {
      label: 'Chromium: a timer looks for finished work (command_buffer_stub.cc)',
      url: 'https://github.com/chromium/chromium/blob/main/gpu/ipc/service/command_buffer_stub.cc',
    },
    {
      label: 'PyTorch: CUDA semantics, asynchronous execution',
      url: 'https://docs.pytorch.org/docs/stable/notes/cuda.html#asynchronous-execution',
    },
    {
      label: 'Chrome: timestamp queries in compute and render passes',
      url: 'https://developer.chrome.com/blog/new-in-webgpu-121',
    },
  ],
}
