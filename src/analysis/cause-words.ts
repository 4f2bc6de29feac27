/** A cause in words, for page and terminal: its name, what it does, and what to change. */
import type { Cause } from './replay/causes'

interface CauseWords {
  readonly title: string
  /** Follows 'The GPU was idle for 12 % of the time while …', where nothing was replayed. */
  readonly beside: string
  /** Begins the sentence of what the change gains. */
  readonly without: string
  readonly mend: string
  /** The same of a page. */
  readonly onPage?: string
}

export const CAUSE_WORDS: Readonly<Record<Cause, CauseWords>> = {
  'read-back': {
    title: 'Results are read back in the loop',
    beside: 'the host waited for a result that it read',
    without: 'Without reading results back',
    mend: 'Read less often: .item(), .cpu(), print() and if on a tensor wait for everything queued before them. Keep losses on the GPU, and read them every 100 steps or at the end.',
    onPage: 'Let results stay on the GPU, or read them later: await mapAsync() once more has been submitted.',
  },
  synchronize: {
    title: 'The host waits for the GPU',
    beside: 'the host waited for it and read nothing',
    without: 'Without waiting for the GPU',
    mend: 'Remove torch.cuda.synchronize() from the loop, or wait for an event from an earlier step.',
    onPage: 'Remove onSubmittedWorkDone() from the loop, or await an earlier frame’s.',
  },
  'data-loading': {
    title: 'The GPU waits for data',
    beside: 'the host was loading data',
    without: 'With batches ready in time',
    mend: 'Give DataLoader more workers and persistent_workers=True, or make __getitem__ cheaper.',
    onPage: 'Load further ahead, so that data is there when a frame needs it.',
  },
  'host-code': {
    title: 'The program’s own code holds the GPU up',
    beside: 'the host ran other code',
    without: 'Without the loop’s other host code',
    mend: 'Make this code faster, run it after the next step is launched, or move it to another process.',
    onPage: 'Submit before this work, or move it to a worker.',
  },
  dispatch: {
    title: 'Dispatch overhead holds the GPU up',
    beside: 'the host launched more slowly than kernels ran',
    without: 'With CUDA graphs',
    mend: 'Launch fewer, longer kernels: torch.compile (mode="reduce-overhead" for CUDA graphs), larger batches, fused or foreach optimizers.',
    onPage:
      'Submit fewer, longer passes: several in one command buffer, several command buffers in one submit().',
  },
  allocation: {
    title: 'Device memory is allocated in each step',
    beside: 'the host allocated or freed device memory',
    without: 'Without allocating device memory',
    mend: 'Remove torch.cuda.empty_cache() from the loop: PyTorch’s caching allocator can only reuse memory that it still holds. If cudaMalloc calls remain, tensor sizes change from step to step (pad them), or PYTORCH_NO_CUDA_MEMORY_CACHING is set (unset it).',
    onPage: 'Make buffers once and reuse them.',
  },
  'pageable-copies': {
    title: 'Copies to or from pageable memory block the host',
    beside: 'copies to or from pageable memory ran, or held up the host',
    without: 'With pinned memory and non-blocking copies',
    mend: 'Pin the memory (pin_memory=True in DataLoader, or .pin_memory() once) and copy with non_blocking=True.',
  },
  'copies-in-line': {
    title: 'Kernels wait for copies',
    beside: 'it copied, or waited for a copy to be prepared',
    without: 'With copies on their own stream',
    mend: 'Copy the next batch on a second stream while the GPU computes on this one.',
    onPage: 'Use two or three staging buffers in turn, so that one is filled while another is in flight.',
  },
  collectives: {
    title: 'Kernels wait for collectives',
    beside: 'it was in collectives and computed nothing',
    without: 'With collectives overlapping the kernels',
    mend: 'Start collectives while kernels that don’t need them still run: DistributedDataParallel does this with gradient buckets, FSDP by prefetching.',
  },
  'late-rank': {
    title: 'The GPU waits for another rank',
    beside: 'it waited for another rank',
    without: 'With the late rank on time',
    mend: 'The cause is on the rank that comes last: its own row says what takes it longer.',
  },
  'slow-kernels': {
    title: 'Kernels run far below their roofline',
    beside: 'its kernels ran below its peak',
    without: 'With these kernels near their bound',
    mend: 'Fuse elementwise operators and reductions (torch.compile), pad sizes to multiples of 64, keep one memory layout. The table of kernels shows the rate of each.',
  },
  'host-callback': {
    title: 'A host callback in a CUDA graph holds the GPU up',
    beside: 'a host callback ran inside a graph',
    without: 'Without the callback in the graph',
    mend: 'Take the callback out of the graph, or launch it on a stream that the kernels don’t wait for.',
  },
  unknown: {
    title: 'The host pauses for no recorded reason',
    beside: 'nothing was recorded of the host',
    without: 'Without the host’s unexplained pauses',
    mend: 'Record with with_stack=True. A single long pause is often Python’s garbage collector: experimental_config=torch._C._profiler._ExperimentalConfig(record_python_gc_info=True) records it too. gc.disable(), and gc.collect() at steps that you choose, ends such pauses.',
    onPage: 'The recording does not show why. It may be timers, the network or the page’s script.',
  },
}

/**
 * The words where most of the host's code is the collector. A loop whose steps make 20,000 lists
 * took 34.4 ms on an H200, 24.6 with gc.freeze() and 6.4 with gc.disable(); 5.1 were predicted
 * without 'Python GC'.
 */
export const COLLECTOR = 'Python’s garbage collector'
export const COLLECTOR_WORDS = {
  title: `${COLLECTOR} stops the host`,
  mend: 'Call gc.disable(), and gc.collect() every few hundred steps: at the same step on all ranks. gc.freeze() after the first steps gains less where each step makes objects that live on.',
}

/** Where nothing in the file repeats: its allocator may only be filling up. */
const ALLOCATED_ONCE = {
  title: 'Device memory is allocated',
  mend: 'PyTorch’s caching allocator requests memory at first, then reuses it: record after a few warm-up steps. If it requests memory in every step, remove torch.cuda.empty_cache() from the loop.',
}
/** @param repeats the file shows several steps */
export const wordsOf = (cause: Cause, repeats: boolean): CauseWords =>
  cause === 'allocation' && !repeats ? { ...CAUSE_WORDS[cause], ...ALLOCATED_ONCE } : CAUSE_WORDS[cause]
