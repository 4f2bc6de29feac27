/** Return values of functions of PyTorch and of the libraries around it. */
import type { CallEvent } from './events'
import type { Flow } from './flow'
import {
  BOOL,
  elementOf,
  loaderThing,
  NONE,
  NUMBER,
  OTHER,
  STRING,
  tensor,
  thing,
  together,
  UNKNOWN,
  UNKNOWN_LOADER,
  type Loader,
  type Value,
  type Where,
} from './values'

const FACTORIES = new Set(
  'arange bartlett_window empty eye full hann_window linspace logspace normal ones rand randint randn randperm tril_indices triu_indices zeros tensor as_tensor scalar_tensor'.split(
    ' ',
  ),
)
const PLAIN_RESULTS =
  /^torch\.(is_tensor|is_grad_enabled|is_floating_point|numel|manual_seed|seed|get_rng_state|set_\w+|get_default_dtype|use_deterministic_algorithms|finfo|iinfo|Size|save|equal|allclose|__version__|promote_types|can_cast|result_type)$|^torch\.(backends|random|utils\.checkpoint\.set|jit|onnx|cuda\.(?!amp|graph))/

/**
 * Reads a place as `device=` or `.to()` takes it: text, a number, `torch.device`. Null: it is no
 * place.
 */
export function placeIn(value: Value | undefined): Where | null {
  if (!value) return null
  if (value.kind === 'device') return value.where
  if (value.kind !== 'plain') return null
  if (value.type === 'number') return 'gpu'
  if (value.type !== 'string' || value.text === null) return null
  return /^(cuda|xpu|hip)\b/.test(value.text) ? 'gpu' : /^cpu\b/.test(value.text) ? 'cpu' : null
}

export function isTrue(value: Value | undefined): boolean | null {
  if (!value || value.kind !== 'plain' || value.text === null) return null
  return value.type === 'bool' ? value.text === 'True' : value.text !== '0'
}

/** Null where it is no library's function that is known. */
export function libraryCall(path: string, event: CallEvent, flow: Flow): Value | null {
  if (path.startsWith('torch.')) return torchCall(path, event, flow)
  const { args } = event
  const last = path.slice(path.lastIndexOf('.') + 1)
  if (/^(time|timeit)\.(time|perf_counter|monotonic|default_timer|perf_counter_ns|time_ns)$/.test(path))
    return {
      kind: 'time',
      launches: flow.launches,
      isPending: flow.isPending,
      iteration: flow.iterations,
    }
  if (/^(tqdm|rich|fastprogress|alive_progress)\b/.test(path) && last !== 'write')
    return thing('other', 'tqdm.tqdm', { inner: args[0] ?? event.named.get('iterable') ?? null })
  if (/^(numpy|np)\./.test(path))
    return /\.(random\.seed|seterr)$/.test(path)
      ? NONE
      : { kind: 'array', isVector: /\.(arange|permutation|array|asarray|argsort|flatnonzero)$/.test(path) }
  if (/^(os|sys|math|json|random|re|shutil|copy|warnings|gc|datetime|pathlib|argparse)\./.test(path)) {
    if (path === 'copy.deepcopy' || path === 'copy.copy') return args[0] ?? UNKNOWN
    return path.startsWith('argparse.') ? UNKNOWN : OTHER
  }
  if (path === 'itertools.cycle' || path === 'itertools.islice') return args[0] ?? UNKNOWN
  if (path.startsWith('logging.')) return thing('other', 'logging.Logger')
  if (
    /^torchvision\.models\.|^timm\.(create_model|models)|^transformers\.Auto\w*Model\w*\.|^transformers\.\w+(Model|For\w+)\./.test(
      path,
    )
  )
    return thing('module', path, { where: flow.defaultWhere })
  if (path === 'accelerate.Accelerator') return thing('other', path)
  return /^[A-Z]/.test(last) ? thing('other', path) : null
}

function torchCall(path: string, event: CallEvent, flow: Flow): Value | null {
  const { args, named } = event
  const name = path.slice('torch.'.length)
  const last = path.slice(path.lastIndexOf('.') + 1)
  const all = [...args, ...named.values()]
  if (name === 'device') {
    const [first] = args
    // Chosen at run time: who asks why a GPU is idle has chosen one.
    const chosen = first?.kind === 'plain' && first.text !== null ? 'unknown' : 'gpu'
    return { kind: 'device', where: placeIn(first) ?? chosen }
  }
  if (/^accelerator\.current_accelerator|^cuda\.current_device$/.test(name))
    return { kind: 'device', where: 'gpu' }
  if (/^(cuda|xpu|accelerator)\.(synchronize|memory\.empty_cache|empty_cache)$/.test(name)) {
    flow.waited()
    return NONE
  }
  if (name === 'set_default_device') {
    flow.defaultWhere = placeIn(args[0]) ?? 'unknown'
    return NONE
  }
  if (name === 'compile' || name === 'nn.SyncBatchNorm.convert_sync_batchnorm') return args[0] ?? UNKNOWN
  if (
    /^nn\.(DataParallel|parallel\.\w*DataParallel)$|^distributed\.fsdp\.(FullyShardedDataParallel|fully_shard)/.test(
      name,
    )
  ) {
    const [inner] = args
    if (inner?.kind === 'thing' && inner.role === 'module') {
      if (inner.where !== 'gpu' && flow.heatMap.hasGpu) inner.where = 'gpu'
      return inner
    }
    return thing('module', path, { where: flow.heatMap.hasGpu ? 'gpu' : 'cpu' })
  }
  if (/^(cuda\.|cpu\.)?(amp\.)(grad_scaler\.)?GradScaler$/.test(name)) {
    const isOn = named.has('enabled') ? isTrue(named.get('enabled')) : true
    return thing('scaler', path, { where: isOn === true ? 'gpu' : isOn === false ? 'cpu' : 'unknown' })
  }
  if (/^utils\.data\.(DataLoader|dataloader\.DataLoader)$/.test(name)) return loaderThing(loaderOf(event))
  if (/^optim\.(lr_scheduler|swa_utils)\./.test(name)) return thing('other', path)
  if (/^optim\.[A-Z]/.test(name)) return thing('optimizer', path, { where: together(args) ?? 'unknown' })
  if (/^(cuda\.)?(Stream|Event)$/.test(name)) return thing('other', `torch.cuda.${last}`)
  if (name === 'autograd.Variable') return args[0] ?? UNKNOWN
  if (/^cuda\.\w*Tensor$/.test(name)) {
    if (isMadeOfValues(args[0])) flow.waited()
    flow.launched()
    return tensor('gpu')
  }
  if (/^distributions\.([\w.]*\.)?[A-Z]/.test(name))
    return thing('other', path, {
      where: isTrue(named.get('validate_args')) === false ? 'cpu' : (together(all) ?? 'unknown'),
    })
  if (name === 'utils.data.TensorDataset') return thing('other', path, { where: together(args) ?? 'cpu' })
  if (name.startsWith('distributed.')) {
    if (/rank|world_size|is_(available|initialized)/.test(last)) return NUMBER
    return thing('other', path)
  }
  if (/^(nn\.(functional|init)|special|linalg|fft)\./.test(name)) return computed(all, flow)
  if (name === 'nn.parallel.data_parallel') return computed(args.slice(1), flow)
  if (/^nn\.utils\.(clip_grad_norm_|clip_grad\.clip_grad_norm_)$/.test(name)) {
    flow.launched()
    return tensor(together(args) ?? 'unknown')
  }
  if (name.startsWith('nn.utils.')) return args[0] ?? UNKNOWN
  if (/^nn\.(Parameter|Buffer)$|^nn\.parameter\.Parameter$/.test(name)) return args[0] ?? UNKNOWN
  if (/^nn\.([\w.]*\.)?[A-Z]\w*$/.test(name))
    return thing('module', path, { where: placeIn(named.get('device')) ?? flow.defaultWhere })
  // The caller owns the memory: NumPy's, or Python's.
  if (/^(from_numpy|frombuffer|(Float|Long|Int|Byte|Bool|Double|Half)?Tensor)$/.test(name))
    return tensor('cpu', { isPinned: false })
  if (FACTORIES.has(name) || /^sparse_\w+_tensor$/.test(name)) {
    const given = args[0]
    if (name === 'as_tensor' && given?.kind === 'tensor' && !named.has('device')) return given
    const device = named.get('device')
    const where = device ? (placeIn(device) ?? 'unknown') : flow.defaultWhere
    const isPinned = isTrue(named.get('pin_memory')) ?? false
    if (where === 'gpu') flow.launched()
    const type = named.get('dtype')
    const isMask = type?.kind === 'imported' && type.path === 'torch.bool'
    return tensor(where, { isPinned, isFresh: true, isMask })
  }
  if (name.endsWith('_like')) {
    const device = named.get('device')
    return tensor(device ? (placeIn(device) ?? 'unknown') : (together(args) ?? 'unknown'))
  }
  if (name === 'load') return UNKNOWN
  if (name === 'autograd.grad') return computed(all, flow)
  if (PLAIN_RESULTS.test(path)) return name.endsWith('is_available') ? BOOL : OTHER
  if (/^(isnan|isinf|isfinite|eq|ne|lt|le|gt|ge|logical_\w+|isclose|isin)$/.test(name))
    return tensor(together(all) ?? 'unknown', { isMask: true })
  if (/^[a-z]\w*$/.test(name)) return computed(all, flow)
  return /^[A-Z]/.test(last) ? thing('other', path) : null
}

/** An operator's result lies where its operands do. */
function computed(values: readonly Value[], flow: Flow): Value {
  const where = together(values)
  if (where === 'gpu') flow.launched()
  return where === null ? UNKNOWN : result(where)
}

/** Result of an operator; on the host it lies in pageable memory. */
export const result = (where: Where, isMask = false): Value =>
  tensor(where, { isPinned: where === 'cpu' ? false : null, isMask })

function loaderOf({ node, args, named }: CallEvent): Loader {
  const isOpen = node.args.some(({ spread }) => spread !== null) && !named.has('**')
  const known = <Result>(name: string, missing: Result, read: (value: Value) => Result | null) => {
    const value = named.get(name)
    if (value) return read(value)
    return isOpen ? null : missing
  }
  const number = (value: Value) =>
    value.kind === 'plain' && value.text !== null && /^\d+$/.test(value.text) ? Number(value.text) : null
  const workers = args[5] ? number(args[5]) : known('num_workers', 0, number)
  const isPinned = known('pin_memory', false, isTrue)
  const isPersistent = known('persistent_workers', false, isTrue)
  const dataset = args[0] ?? named.get('dataset')
  const isInMemory = dataset?.kind === 'thing' && dataset.path.endsWith('.TensorDataset')
  // The rows of tensors on the GPU are put together there.
  const where = isInMemory ? dataset.where : UNKNOWN_LOADER.where
  return { call: node, workers, isPinned, isPersistent, isInMemory, where }
}

/** `torch.cuda.FloatTensor(values)` copies them; of sizes it makes a tensor on the GPU. */
export const isMadeOfValues = (value: Value | undefined): boolean =>
  value?.kind === 'array' || value?.kind === 'tuple' || value?.kind === 'list'

const OF_SHAPES =
  /^(size|dim|numel|nelement|element_size|stride|data_ptr|get_device|keys|is_(contiguous|floating_point|pinned))$/
const MASKS = /^(eq|ne|lt|le|gt|ge|bool|isnan|isinf|isfinite|logical_(not|and|or))$/
const VIEWS =
  /^(view|reshape|unsqueeze|squeeze|permute|transpose|detach|expand|expand_as|reshape_as|view_as|requires_grad_)$/

/** A method of a tensor. */
export function tensorMethod(
  receiver: Extract<Value, { kind: 'tensor' }>,
  { method, args, named, node }: CallEvent,
  flow: Flow,
): Value {
  const where = receiver.where
  const plainTensor = tensor(where)
  const of = node.callee.kind === 'attribute' ? node.callee.object : node.callee
  const moved = (to: Where | null): Value => {
    if (to === null) return tensor(where, { ...receiver, isFresh: false })
    const isNonBlocking = named.has('non_blocking')
      ? isTrue(named.get('non_blocking'))
      : node.args.some(({ spread }) => spread)
        ? null
        : false
    if (to === 'gpu') {
      if (where !== 'gpu') flow.emit('move', { node, value: receiver, isNonBlocking, of })
      if (where === 'cpu' && isNonBlocking === false) flow.waited()
      return tensor('gpu', { isMask: receiver.isMask })
    }
    if (to === 'cpu' && where === 'gpu') {
      if (isNonBlocking !== true) flow.waited()
      return tensor('cpu', { isPinned: null, copiedAfter: isNonBlocking === true ? flow.waits : null })
    }
    return tensor(to)
  }
  switch (method) {
    case 'to': {
      const [first] = args
      const target = named.get('device') ?? first
      if (target?.kind === 'tensor') return moved(target.where)
      const place = placeIn(target)
      if (place !== null) return moved(place)
      // A type, or a place that nothing tells.
      return target?.kind === 'unknown' ? tensor('unknown') : moved(null)
    }
    case 'type': {
      const [type] = args
      const name = (type?.kind === 'imported' ? type.path : type?.kind === 'plain' ? type.text : null) ?? ''
      if (!type) return STRING
      if (!name.endsWith('Tensor')) return plainTensor
      return moved(name.startsWith('torch.cuda.') ? 'gpu' : 'cpu')
    }
    case 'type_as':
      return args[0]?.kind === 'tensor' ? moved(args[0].where) : plainTensor
    case 'cuda':
      return moved('gpu')
    case 'cpu':
      return moved('cpu')
    case 'item':
    case 'tolist':
      if (where === 'gpu') flow.waited()
      return method === 'item' ? NUMBER : { kind: 'list', of: NUMBER }
    case 'numpy':
      return { kind: 'array' }
    case 'pin_memory':
      return tensor(where, { ...receiver, isPinned: true, isFresh: false })
    case 'items':
      return { kind: 'list', of: { kind: 'tuple', items: [STRING, receiver] } }
    case 'values':
      return { kind: 'list', of: receiver }
    case 'get':
    case 'pop':
      return receiver
    case 'backward':
      if (where === 'gpu') flow.launched()
      return NONE
    case 'nonzero':
    case 'unique':
      if (where === 'gpu') flow.waited()
      return plainTensor
    case 'all':
    case 'any':
      return plainTensor
    default: {
      if (OF_SHAPES.test(method ?? '')) return NUMBER
      if (MASKS.test(method ?? '')) return tensor(where, { isMask: true })
      if (method?.startsWith('new_')) return tensor(placeIn(named.get('device')) ?? where)
      if (VIEWS.test(method ?? '')) return receiver
      if (where === 'gpu') flow.launched()
      const other = together(args)
      return tensor(where === 'cpu' && other === 'gpu' ? 'gpu' : where, {
        isPinned: where === 'cpu' ? false : null,
      })
    }
  }
}

export function thingMethod(
  receiver: Extract<Value, { kind: 'thing' }>,
  { method, args, named }: CallEvent,
  flow: Flow,
): Value {
  if (receiver.role === 'module')
    switch (method) {
      case 'to':
      case 'cuda':
      case 'cpu':
      case 'to_empty': {
        const place =
          method === 'cuda' ? 'gpu' : method === 'cpu' ? 'cpu' : placeIn(named.get('device') ?? args[0])
        if (place) move(receiver, place)
        else if (args[0]?.kind === 'unknown') move(receiver, 'unknown')
        return receiver
      }
      case 'parameters':
      case 'buffers':
        return { kind: 'list', of: tensor(receiver.where, { isParameter: true }) }
      case 'named_parameters':
      case 'named_buffers':
        return {
          kind: 'list',
          of: { kind: 'tuple', items: [STRING, tensor(receiver.where, { isParameter: true })] },
        }
      case 'modules':
      case 'children':
        return { kind: 'list', of: thing('module', 'torch.nn.Module', { where: receiver.where }) }
      case null:
      default: {
        if (/^(train|eval|half|float|bfloat16|apply|requires_grad_|from_pretrained)$/.test(method ?? ''))
          return receiver
        if (/^(state_dict|load_state_dict|zero_grad|no_sync|named_modules)$/.test(method ?? '')) return OTHER
        const given = together(args)
        // It can only be called where its parameters lie.
        if (method === null && given === 'gpu' && receiver.where === 'unknown') move(receiver, 'gpu')
        const where = method === null && receiver.where === 'gpu' ? 'gpu' : given
        if (where === 'gpu') flow.launched()
        return where === null ? UNKNOWN : tensor(where)
      }
    }
  if (receiver.role === 'scaler' && method === 'scale') return args[0] ?? UNKNOWN
  if (receiver.role === 'scaler' && method === 'step') flow.waited()
  if (receiver.role === 'optimizer') {
    if (method === 'step') flow.launched()
    return OTHER
  }
  if (/^torch\.cuda\.(Event|Stream)$/.test(receiver.path) && method === 'synchronize') flow.waited()
  if (receiver.path.startsWith('torch.distributions.')) return tensor(together(args) ?? receiver.where)
  // An object of another file that is moved before the loop: a model.
  if (/^(to|cuda)$/.test(method ?? '') && !receiver.cls && flow.heat === 'setup') {
    const place = method === 'cuda' ? 'gpu' : placeIn(named.get('device') ?? args[0])
    if (place) return thing('module', receiver.path, { where: place })
  }
  if (receiver.path === 'accelerate.Accelerator') return accelerated(method, args)
  if (receiver.path.startsWith('transformers.') && /^from_(pretrained|config)$/.test(method ?? ''))
    return /Model|For[A-Z]/.test(receiver.path) ? thing('module', receiver.path, { where: 'cpu' }) : UNKNOWN
  return UNKNOWN
}

function move(module: Extract<Value, { kind: 'thing' }>, to: Where): void {
  if (module.where === to) return
  module.where = to
  for (const [name, value] of module.attributes)
    if (value.kind === 'thing' && value.role === 'module') move(value, to)
    else if (value.kind === 'tensor' && value.isParameter)
      module.attributes.set(name, tensor(to, { isParameter: true }))
}

/** Accelerate moves what it prepares, and each batch of a loader. */
function accelerated(method: string | null, args: readonly Value[]): Value {
  if (method !== 'prepare') return method === 'backward' ? NONE : UNKNOWN
  const prepared = args.map((value): Value => {
    if (value.kind !== 'thing') return value
    if (value.role === 'module') value.where = 'gpu'
    return value.loader ? loaderThing({ ...value.loader, where: 'gpu' }) : value
  })
  const [first] = prepared
  return prepared.length === 1 && first ? first : { kind: 'tuple', items: prepared }
}

const PLAIN_BUILTINS: ReadonlyMap<string, Value> = new Map([
  ['print', NONE],
  ['map', UNKNOWN],
  ['open', OTHER],
  ...['len', 'id', 'hash', 'ord'].map((name) => [name, NUMBER] as const),
  ...['str', 'repr', 'format', 'input'].map((name) => [name, STRING] as const),
  ...['isinstance', 'hasattr', 'callable'].map((name) => [name, BOOL] as const),
])

/** A function of Python's own. */
export function builtinCall(name: string, { args }: CallEvent, flow: Flow): Value | null {
  const [first = UNKNOWN] = args
  switch (name) {
    case 'enumerate':
      return { kind: 'list', of: { kind: 'tuple', items: [NUMBER, elementOf(first)] } }
    case 'zip':
      return { kind: 'list', of: { kind: 'tuple', items: args.map(elementOf) } }
    case 'iter':
    case 'reversed':
      return first
    case 'list':
    case 'tuple':
    case 'sorted':
      return first.kind === 'tuple' ? first : { kind: 'list', of: elementOf(first) }
    case 'next':
      return elementOf(first)
    case 'range':
      return { kind: 'list', of: NUMBER }
    case 'sum': {
      const element = elementOf(first)
      return element.kind === 'plain' ? NUMBER : element.kind === 'tensor' ? element : UNKNOWN
    }
    case 'max':
    case 'min':
    case 'abs':
    case 'round': {
      const where = together(args)
      return where === null ? NUMBER : tensor(where)
    }
    case 'float':
    case 'int':
    case 'bool':
      if (first.kind === 'tensor' && first.where === 'gpu') flow.waited()
      return NUMBER
    default:
      return PLAIN_BUILTINS.get(name) ?? null
  }
}
