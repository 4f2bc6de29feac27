/**
 * Lesson 5: what a faster kernel is worth. The figures of CUDA in `carriesOver` are what `code/pytorch.py` printed on one machine
 * (H200, PyTorch 2.11, 2026-11-21).
 */
import { markRegions } from '../code-regions'
import type { Lesson } from '../lesson'
import { kernelLadderQuiz } from './quiz'
import pytorchSource from './code/pytorch.py?raw'
import webgpuSource from './code/webgpu.ts.txt?raw'

export const kernelLadderLesson: Lesson = {
  id: 'kernel-ladder',
  number: 5,
  title: 'The kernel ladder',
  question: 'Does a faster kernel help?',
  measures:
    'How far better kernels carry your device towards its own peak, and what of that a whole step feels.',
  minutes: 15,
  experiment: 'kernel-ladder',
  values: { transfers: 'each-step', matrixSize: 0, steps: 3, repeats: 5 },
  intro: [
    'A matrix product can be written in ten lines. Written well it runs many times as fast on the same device, and the way from the one to the other is a ladder: neighbouring threads read neighbouring columns; a workgroup shares tiles; each thread keeps a block of sums in registers; memory is read in vectors of four; the next tiles are on their way while these are multiplied. Each rung is one idea and one file, and you can read them all under *Kernel*.',
    'How high is up? The lab measures that as well. One small kernel does nothing but multiply and add in registers: that is the **peak** of [[device:this device]]. Another copies a large buffer: that is the bandwidth of its memory. Together they make a roof over every kernel whose matrices are larger than the caches. No figure is from a data sheet.',
    'Then each rung runs in a second way: in every step A and B are [[staging:uploaded]] and C is read back, as in a program whose data live on [[host:the host]]. The matrices are of one size for all rungs, chosen so that the slowest takes some 30 ms on your device, or less.',
  ],
  prediction: {
    question:
      'You replace the first kernel of the ladder by the fastest. Each step still uploads A and B and reads C back. How many times as fast does a step become?',
    metric: { name: 'best-step-speedup', variant: '' },
    unit: '×',
    min: 1,
    max: 20,
    step: 0.5,
    start: 8,
    scale: 1,
    ends: ['as slow as before', 'twenty times as fast'],
  },
  code: [
    {
      dialect: 'pytorch',
      language: 'python',
      title: 'PyTorch',
      source: pytorchSource,
      regions: markRegions(pytorchSource, [
        ['setup', 'n = 4096', 'c = torch.empty'],
        ['fill', 'a.copy_(a_host)', 'b.copy_(b_host)'],
        ['submit', 'torch.mm(a, b, out=c)'],
        ['read', 'c.cpu()'],
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
        ['fill', 'new Float32Array(slot.staging', 'slot.staging.unmap'],
        ['encode', 'const encoder = device', 'if (moves) encoder.copyBufferToBuffer(c'],
        ['submit', 'device.queue.submit'],
        ['wait', 'await readback.mapAsync'],
        ['read', 'result = new Float32Array', 'readback.unmap'],
        ['wait', 'await device.queue.onSubmittedWorkDone'],
      ]),
    },
  ],
  steps: [
    {
      id: 'run',
      heading: 'Climb the ladder, twice',
      text: [
        'The run takes its time: two micro-kernels, then every rung on resident matrices, then the transfers alone, then every rung with them, all in turn and several times over.',
      ],
      action: { label: 'Run every rung', values: {}, run: true },
      lookFor: [
        'On resident matrices: [[device:passes]] side by side that become shorter from rung to rung. In the windows with `+transfers`: one pass, and around it a long stretch in which the device has nothing to do. The pass becomes shorter there too; the stretch does not.',
      ],
    },
    {
      id: 'roofline',
      heading: 'Read the roofline',
      text: [
        'Both axes of the first chart are logarithmic. Across: how many operations there are for each byte that must move. Up: how many are done in a second. Left of the ridge, memory can feed no more than the sloped roof allows; right of it, arithmetic is the limit.',
        'All rungs do the same operations on the same matrices, so on resident matrices they stand above each other. What separates them is how often they fetch the same byte again, and how much else they do beside multiplying.',
      ],
      lookFor: [
        'How much air is left between the highest point and the roof. Then the second group of points: with transfers all of them stand under a second, lower slope, which is the measured rate of the way to the device and back. There is no room for a ladder down there.',
      ],
    },
    {
      id: 'step',
      heading: 'Where a step goes',
      text: [
        'The second chart lays a step out as a bar: the matmul on [[device:the device]], [[host:the host copying]], and the rest, in which bytes are on their way or [[wait:the host waits to hear]] of them. A page cannot look into that rest.',
        'The line is the step without any kernel. It is Amdahl’s law as a measurement: no kernel brings a bar below it.',
      ],
    },
    {
      id: 'resident',
      heading: 'Move nothing',
      text: ['Now the same ladder for a program whose matrices stay where they are.'],
      action: {
        label: 'Run without transfers',
        values: { transfers: 'none' },
        run: true,
        dial: 'transfers',
      },
      lookFor: [
        'The time of a step is the time of its matmul now, or hardly more. Here each rung is worth what it promises. The kernels are those of the first run; what has changed is what stands beside them.',
      ],
    },
    {
      id: 'small',
      heading: 'Shrink the matrices',
      text: [
        'Work grows with the cube of the size, bytes with its square. So what do small matrices do to the share of the kernel?',
      ],
      action: { label: 'Run 64 × 64', values: { matrixSize: 64 }, run: true, dial: 'matrixSize' },
      lookFor: [
        'The share of a step that is not the kernel, with the fastest rung. And the ladder itself: a matrix this small does not fill a large device, so the rungs may stand in another order.',
      ],
    },
  ],
  carriesOver: [
    'The ladder is that of CUDA, rung for rung: coalesced access, tiles in shared memory, a block of sums for each thread, vector loads. cuBLAS and CUTLASS go on from there with copies that run ahead of the arithmetic, warp tiles and kernels chosen by shape. In PyTorch you get all of that by writing `torch.mm`.',
    'Amdahl’s law carries over unchanged. The code beside this lesson, run on the H200 with PyTorch 2.11: a step of 4096³ in `float32` takes 2.67 ms where the matrices stay (51 TFLOP/s, cuBLAS), and 45.5 ms where A and B come from pageable memory and C goes back to a new tensor each time. With `"high"` precision tensor cores take over: 0.34 ms, eight times as fast. The step that moves its data still takes 43.5 ms.',
    '`torch.compile` does not help there. It fuses and schedules what happens on the device; a loop that uploads its input and reads its output at every step is as long as its transfers.',
    'What does help carries over as well: keep tensors on the device, pin the memory, prefetch the next batch while this one computes, send smaller types.',
    'The roofline carries over as a way of thinking. Profilers such as Nsight Compute draw it with the traffic that a kernel really had, from the counters of the chip. A page has no counters: the lab can give only the work for each byte that *must* move.',
  ],
  cannot: [
    '**No tensor cores.** For half precision, and with `torch.set_float32_matmul_precision("high")` for `float32` as well, PyTorch multiplies on units that do small matrix products in one instruction. WebGPU cannot reach them. A proposal for subgroup matrices exists; in Chrome it is behind a flag that ordinary visitors do not have. So the peak measured here is that of ordinary multiply-adds.',
    '**No copies that run ahead.** CUDA can load the next tile into shared memory while the present one is used, without passing through registers. WGSL has no such instruction; the last rung here fetches ahead into registers, which then are not there for sums.',
    '**Bounds are checked.** A browser must not let a shader read beside its buffers. Depending on the system, hardware does that at no cost, or clamped indices cost some of the rate. Chrome leaves the clamp out where it can prove the bound: the last rung lays its tiles out so that it can, which alone made the inner loop a tenth faster on an H200.',
    '**No counters.** Cache hits, occupancy and registers used cannot be seen from a page. Why a rung is slow has to be worked out by changing one thing at a time.',
    '**No say in the clock rate.** Devices speed up and slow down with temperature and power. The lab warms the device up and takes turns between the rungs, so that all of them meet the same conditions.',
  ],
  quiz: kernelLadderQuiz,
  tryNext: [
    {
      label: 'Only the upper rungs',
      values: { rungs: ['register-blocked', 'vectorised'] },
      why: 'Without the slow kernels the matrices may be larger. What do larger matrices do to the share of the kernel?',
    },
    {
      label: 'Small, and nothing moved',
      values: { transfers: 'none', matrixSize: 64 },
      why: 'Which rung wins when there is little work? Compare the time of a step with the time of its matmul: what is the rest?',
    },
    {
      label: 'More repeats',
      values: { repeats: 9 },
      why: 'How much narrower do the intervals become, and does any verdict change?',
    },
  ],
  recording: 'kernel-ladder.hdl.gz',
  sources: [
    {
      label: 'Williams, Waterman, Patterson: Roofline, an insightful visual performance model (2009)',
      url: 'https://dl.acm.org/doi/10.1145/1498765.1498785',
    },
    {
      label: 'Amdahl: Validity of the single processor approach (1967)',
      url: 'https://dl.acm.org/doi/10.1145/1465482.1465560',
    },
    {
      label: 'Boehm: How to optimize a CUDA matmul kernel for cuBLAS-like performance',
      url: 'https://siboehm.com/articles/22/CUDA-MMM',
    },
    {
      label: 'gpuweb: proposal for subgroup matrices',
      url: 'https://github.com/gpuweb/gpuweb/blob/main/proposals/subgroup-matrix.md',
    },
    {
      label: 'gpuweb issue 1202: what bounds checks cost a matmul',
      url: 'https://github.com/gpuweb/gpuweb/issues/1202',
    },
    {
      label: 'PyTorch: torch.set_float32_matmul_precision',
      url: 'https://docs.pytorch.org/docs/stable/generated/torch.set_float32_matmul_precision.html',
    },
    {
      label: 'PyTorch: a guide on pin_memory() and non_blocking',
      url: 'https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html',
    },
  ],
}
