/**
 * The causes that a change can remove, and which of them a stretch of host time belongs to. Calls
 * are those of any vendor, operators those of PyTorch.
 */
import { callUseOf, isCall, type CallUse } from '../../trace/vendors'
import { pythonFrame } from '../host-stacks'

/** The order is that of equal gains, the plainer change first. */
export const CAUSES = [
  'read-back',
  'synchronize',
  'data-loading',
  'host-code',
  'allocation',
  'pageable-copies',
  'copies-in-line',
  'dispatch',
  'collectives',
  'late-rank',
  'slow-kernels',
  'host-callback',
  'unknown',
] as const
export type Cause = (typeof CAUSES)[number]

/** Operators that return a value of the device to the host, or whose result's shape is one. */
const READS =
  /^aten::(?:item|_local_scalar_dense|is_nonzero|nonzero(?:_numpy)?|masked_select|equal|allclose|_?unique\w*|tolist)$|^np\.asarray\(jax\.Array\)$/
/** Operators of metadata, and autograd's own: they launch nothing on a device, and take some µs. */
const FRONT_END =
  /^(?:torch::)?autograd::|^aten::(?:view\w*|_unsafe_view|reshape\w*|t|transpose|permute|as_strided\w*|expand\w*|slice|select|unsqueeze|squeeze|detach\w*|narrow|split\w*|chunk|unbind|alias|flatten|unflatten|resolve_\w+|result_type|lift_fresh|empty\w*|is_\w+|size|stride|contiguous|to|_to_copy|numpy_T|movedim|record_stream|set_|resize_|requires_grad_|linear|matmul|dropout)$/
const DATA_LOADER = /^enumerate\(DataLoader\)|(?:^|[/\\])torch[/\\]utils[/\\]data[/\\]/
/**
 * Frames of PyTorch's own Python, of Triton's and of what Inductor wrote: the front end of
 * operators.
 */
const FRAMEWORK =
  /^(?:torch|functorch|triton|torch_[a-z]+)[/\\]|(?:^|[/\\])torchinductor_\w+[/\\]|^nn\.Module: |^<built-in (?:method|function) /
/** Ranges that PyTorch sets round the optimizer's Python. */
const OPTIMIZER = /^Optimizer\.\w+#/

/**
 * A run of Python's garbage collector: torch.profiler records it beside stacks if its experimental
 * `record_python_gc_info` is set (PyTorch 2.11).
 */
export const GARBAGE_COLLECTOR = 'Python GC'

/** Where Python's threads wait for each other, as torch.profiler names it. */
export const LOCK_WAIT =
  /^<built-in method (?:acquire of _thread\.|get of _queue\.)|^(?:queue\.py\(\d+\): (?:get|put)|threading\.py\(\d+\): (?:wait|wait_for|join|_wait_for_tstate_lock)|concurrent[/\\]futures[/\\]_base\.py\(\d+\): result)$/

export type NameKind =
  | 'loader'
  | 'allocation'
  | 'wait'
  | 'call'
  | 'read-operator'
  | 'operator'
  | 'front-end'
  | 'framework'
  | 'python'
  | 'optimizer'
  | 'range'

function kindOfCall(use: CallUse): NameKind {
  if (use === 'allocation' || use === 'free') return 'allocation'
  return use.startsWith('wait-') ? 'wait' : 'call'
}

/**
 * By its name alone. Operators of the dispatcher have a namespace, so ranges of the reader's have
 * none.
 */
export function nameKindOf(name: string): NameKind {
  if (DATA_LOADER.test(name)) return 'loader'
  if (name.includes('empty_cache')) return 'allocation'
  if (isCall(name)) return kindOfCall(callUseOf(name))
  if (FRAMEWORK.test(name)) return 'framework'
  if (READS.test(name)) return 'read-operator'
  if (FRONT_END.test(name)) return 'front-end'
  if (pythonFrame(name) || name === GARBAGE_COLLECTOR) return 'python'
  if (OPTIMIZER.test(name)) return 'optimizer'
  return name.includes('::') ? 'operator' : 'range'
}
