/**
 * Knowledge of a Python value before the program runs: above all whether it is a tensor, and on
 * which side of the bus it lies.
 */
import type { Call, Class, Def, Expr, Param } from '../syntax'

export type Where = 'gpu' | 'cpu' | 'unknown'

export interface Tensor {
  readonly kind: 'tensor'
  readonly where: Where
  /** Null: unknown. */
  readonly isPinned: boolean | null
  /** It came out of a comparison. */
  readonly isMask: boolean
  /** A line of this file made it on the host, and nothing has read it yet. */
  readonly isFresh: boolean
  readonly isParameter: boolean
  /** The loader of whose batch it is part. */
  readonly loader: Loader | null
  /** Copied to the host with non_blocking: how often the host had waited by then. */
  readonly copiedAfter: number | null
}

export interface Loader {
  /** Null: it is not made in this file. */
  readonly call: Call | null
  /** Null: unknown. */
  readonly workers: number | null
  readonly isPinned: boolean | null
  readonly isPersistent: boolean | null
  /** Its samples are tensors already: taking one costs next to nothing. */
  readonly isInMemory: boolean
  /** Where its batches lie: Accelerate's lie on the GPU. */
  readonly where: Where
}

/** An object that stays the same when it is moved or changed. */
export interface Thing {
  readonly kind: 'thing'
  readonly role: 'module' | 'optimizer' | 'scaler' | 'loader' | 'other'
  /** Path of its class, as far as imports tell. */
  readonly path: string
  where: Where
  readonly cls: Class | null
  readonly attributes: Map<string, Value>
  readonly loader: Loader | null
  /** What it wraps and iterates over: tqdm's argument. */
  readonly inner: Value | null
}

export interface Scope {
  readonly values: Map<string, Value>
  readonly parent: Scope | null
}

export interface FunctionValue {
  readonly kind: 'function'
  readonly params: readonly Param[]
  readonly body: Def | Expr
  readonly self: Thing | null
  readonly scope: Scope
}

/** @param self the object that it is a method of */
export const functionOf = (
  body: Extract<Def | Expr, { readonly params: readonly Param[] }>,
  scope: Scope,
  self: Thing | null = null,
): FunctionValue => ({
  kind: 'function',
  params: body.params,
  body: body.kind === 'lambda' ? body.body : body,
  self,
  scope,
})

export const defIn = ({ body }: Class, name: string): Def | undefined =>
  body.find((each): each is Def => each.kind === 'def' && each.name === name)

export type Value =
  /** `isOfGpu`: a function of another file made it from tensors on the GPU. */
  | { readonly kind: 'unknown'; readonly isOfGpu?: boolean }
  /** Numbers, strings and what else costs the GPU nothing; `text` of a literal. */
  | {
      readonly kind: 'plain'
      readonly type: 'number' | 'bool' | 'string' | 'none' | 'other'
      readonly text: string | null
    }
  /** NumPy's; `isVector`: it is known to hold several numbers. */
  | { readonly kind: 'array'; readonly isVector?: boolean }
  | Tensor
  | { readonly kind: 'tuple'; readonly items: readonly Value[] }
  | { readonly kind: 'list'; readonly of: Value }
  | { readonly kind: 'dict'; readonly entries: Map<string, Value> }
  | Thing
  | { readonly kind: 'device'; readonly where: Where }
  | { readonly kind: 'imported'; readonly path: string }
  | FunctionValue
  | { readonly kind: 'class'; readonly cls: Class; readonly scope: Scope }
  /**
   * A reading of the host's clock: how much work had been launched, and whether the host had waited
   * for it.
   */
  | {
      readonly kind: 'time'
      readonly launches: number
      readonly isPending: boolean
      readonly iteration: number
    }

export const UNKNOWN: Value = { kind: 'unknown' }
export const UNKNOWN_OF_GPU: Value = { kind: 'unknown', isOfGpu: true }
export const NUMBER: Value = { kind: 'plain', type: 'number', text: null }
export const STRING: Value = { kind: 'plain', type: 'string', text: null }
export const BOOL: Value = { kind: 'plain', type: 'bool', text: null }
export const NONE: Value = { kind: 'plain', type: 'none', text: null }
export const OTHER: Value = { kind: 'plain', type: 'other', text: null }

export const tensor = (where: Where, more: Partial<Tensor> = {}): Tensor => ({
  kind: 'tensor',
  where,
  isPinned: null,
  isMask: false,
  isFresh: false,
  isParameter: false,
  loader: null,
  copiedAfter: null,
  ...more,
})

export const thing = (role: Thing['role'], path: string, more: Partial<Thing> = {}): Thing => ({
  kind: 'thing',
  role,
  path,
  where: 'unknown',
  cls: null,
  attributes: new Map(),
  loader: null,
  inner: null,
  ...more,
})

export const loaderThing = (loader: Loader): Thing =>
  thing('loader', 'torch.utils.data.DataLoader', { loader })

export const UNKNOWN_LOADER: Loader = {
  call: null,
  workers: null,
  isPinned: null,
  isPersistent: null,
  isInMemory: false,
  where: 'cpu',
}

export function whereOf(value: Value): Where | null {
  switch (value.kind) {
    case 'tensor':
    case 'device':
      return value.where
    case 'thing':
      return value.role === 'module' ? value.where : null
    case 'tuple':
      return together(value.items)
    case 'list':
      return whereOf(value.of)
    case 'dict':
      return together([...value.entries.values()])
    default:
      return null
  }
}

/** Where a result of these lies; null where none of them is a tensor. */
export function together(values: readonly Value[]): Where | null {
  const places = values.map(whereOf).filter((where) => where !== null)
  if (places.includes('gpu')) return 'gpu'
  return places.includes('unknown') ? 'unknown' : (places[0] ?? null)
}

/** @param isGpuChosen the branch asks whether there is a GPU: the answer here is yes */
export function join(a: Value, b: Value, isGpuChosen = false): Value {
  if (a === b) return a
  if (a.kind === 'plain' && a.type === 'none') return b
  if (b.kind === 'plain' && b.type === 'none') return a
  if (a.kind === 'tensor' && b.kind === 'tensor') return joinTensors(a, b, isGpuChosen)
  if (a.kind === 'tensor')
    return b.kind === 'plain' || (b.kind === 'unknown' && b.isOfGpu && a.where === 'gpu')
      ? a
      : tensor('unknown')
  if (b.kind === 'tensor') return join(b, a, isGpuChosen)
  if (a.kind === 'device' && b.kind === 'device') return a.where === 'gpu' || b.where === 'cpu' ? a : b
  if (isGpuChosen && namesGpu(a) !== namesGpu(b) && (a.kind === b.kind || namesPlace(a, b)))
    return namesGpu(a) ? a : b
  if (a.kind === 'plain' && b.kind === 'plain')
    return a.type === b.type
      ? { kind: 'plain', type: a.type, text: a.text === b.text ? a.text : null }
      : OTHER
  if (a.kind === 'tuple' && b.kind === 'tuple' && a.items.length === b.items.length)
    return {
      kind: 'tuple',
      items: a.items.map((item, index) => join(item, b.items[index] ?? UNKNOWN, isGpuChosen)),
    }
  if (a.kind === 'list' && b.kind === 'list') return { kind: 'list', of: join(a.of, b.of, isGpuChosen) }
  if (a.kind === 'list' && b.kind === 'tuple') return join(a, listOf(b), isGpuChosen)
  if (a.kind === 'tuple' && b.kind === 'list') return join(listOf(a), b, isGpuChosen)
  if (a.kind === 'dict' && b.kind === 'dict')
    return { kind: 'dict', entries: new Map([...a.entries, ...b.entries]) }
  if (a.kind === 'array' && b.kind === 'array') return a
  if (a.kind === 'time' && b.kind === 'time') return b
  if (
    a.kind === 'thing' &&
    b.kind === 'thing' &&
    a.role === b.role &&
    (a.role !== 'other' || a.path === b.path)
  )
    return a.where === 'gpu' ? a : b
  if (a.kind === 'imported' && b.kind === 'imported' && a.path === b.path) return a
  return UNKNOWN
}

/** `'cuda'`, `torch.device('cuda')`, or the old types of tensors on the GPU. */
const namesGpu = (value: Value): boolean =>
  (value.kind === 'plain' && /^(torch\.)?(cuda|xpu)\b/.test(value.text ?? '')) ||
  (value.kind === 'imported' && /^torch\.cuda\.\w*Tensor$/.test(value.path)) ||
  (value.kind === 'device' && value.where === 'gpu')

const namesPlace = (a: Value, b: Value): boolean =>
  [a, b].every(({ kind }) => kind === 'device' || kind === 'plain')

const listOf = ({ items }: { readonly items: readonly Value[] }): Value => ({
  kind: 'list',
  of: items.length > 0 ? joined(items) : NONE,
})

export const joined = (values: readonly Value[]): Value =>
  values.length > 0 ? values.reduce((sum, value) => join(sum, value)) : UNKNOWN

function joinTensors(a: Tensor, b: Tensor, isGpuChosen: boolean): Tensor {
  const where =
    a.where === b.where
      ? a.where
      : isGpuChosen && (a.where === 'gpu' || b.where === 'gpu')
        ? 'gpu'
        : 'unknown'
  return tensor(where, {
    isPinned: a.isPinned === b.isPinned ? a.isPinned : null,
    isMask: a.isMask && b.isMask,
    isParameter: a.isParameter && b.isParameter,
    isFresh: a.isFresh && b.isFresh,
    loader: a.loader === b.loader ? a.loader : null,
    copiedAfter: a.copiedAfter === b.copiedAfter ? a.copiedAfter : null,
  })
}

/** What one iteration over it gives. */
export function elementOf(value: Value): Value {
  switch (value.kind) {
    case 'list':
      return value.of
    case 'tuple':
      return joined(value.items)
    case 'tensor':
      return value
    case 'array':
      return { kind: 'array' }
    case 'dict':
      return STRING
    case 'unknown':
      return value
    case 'thing':
      if (value.loader)
        return tensor(value.loader.where, { loader: value.loader, isPinned: value.loader.isPinned })
      return value.inner ? elementOf(value.inner) : UNKNOWN
    default:
      return UNKNOWN
  }
}

/** The part at a place of an unpacked value. */
export const partOf = (value: Value, index: number): Value =>
  value.kind === 'tuple' ? (value.items[index] ?? UNKNOWN) : elementOf(value)

interface Hints {
  readonly hasGpu: boolean
  readonly prepares: boolean
}

/** What people call things of which nothing else is known. */
export function hintOf(name: string, { hasGpu, prepares }: Hints): Value {
  const last = name.toLowerCase()
  if (/(^|_)(device|dev)$/.test(last)) return hasGpu ? { kind: 'device', where: 'gpu' } : UNKNOWN
  if (
    /^(data|train|training|val|valid|validation|test|eval)?_?(data)?_?loader(_train|_val|_test)?$|dataloader$|_loader$/.test(
      last,
    )
  )
    return loaderThing({ ...UNKNOWN_LOADER, where: prepares ? 'unknown' : 'cpu' })
  if (/^(optimizer|optim|opt)(_?[a-z])?$|optimizer$/.test(last)) return thing('optimizer', 'torch.optim')
  if (/^(grad_?)?scaler$/.test(last)) return thing('scaler', 'torch.amp.GradScaler')
  if (
    /^(model|net|network|criterion|loss_fn|loss_func|loss_function|encoder|decoder|generator|discriminator|critic|policy|backbone|teacher|student)(_?[a-z0-9])?$|(_model|_net)$|^net[a-z]$/.test(
      last,
    )
  )
    return thing('module', 'torch.nn.Module')
  return UNKNOWN
}

/** The loader of what is iterated over, however it is wrapped. */
export function loaderOf(value: Value): Loader | null {
  if (value.kind === 'thing') return value.loader ?? (value.inner && loaderOf(value.inner))
  if (value.kind === 'tensor') return value.loader
  if (value.kind === 'list') return loaderOf(value.of)
  if (value.kind === 'tuple') return value.items.map(loaderOf).find((each) => each !== null) ?? null
  return null
}
