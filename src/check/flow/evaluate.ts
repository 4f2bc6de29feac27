/** Evaluates an expression: its value, and the events on the way. */
import type { Attribute, Call, Expr, Index } from '../syntax'
import type { CallEvent } from './events'
import type { Flow } from './flow'
import { isHot } from './heat'
import { builtinCall, libraryCall, placeIn, result as operated, tensorMethod, thingMethod } from './torch'
import {
  BOOL,
  defIn,
  elementOf,
  functionOf,
  hintOf,
  join,
  joined,
  loaderOf,
  NONE,
  NUMBER,
  OTHER,
  partOf,
  STRING,
  tensor,
  thing,
  together,
  UNKNOWN,
  UNKNOWN_OF_GPU,
  type Thing,
  type Value,
} from './values'

const COMPARES = new Set(['==', '!=', '<', '>', '<=', '>='])

export function evaluate(flow: Flow, expr: Expr): Value {
  flow.evaluations += 1
  const of = (each: Expr): Value => evaluate(flow, each)
  switch (expr.kind) {
    case 'name': {
      const value = flow.lookUp(expr.name)
      return value ?? (BUILTINS.has(expr.name) ? { kind: 'imported', path: expr.name } : flow.hint(expr.name))
    }
    case 'number':
      return { kind: 'plain', type: 'number', text: expr.text }
    case 'bool':
      return { kind: 'plain', type: 'bool', text: expr.text }
    case 'string':
      return { kind: 'plain', type: 'string', text: expr.text }
    case 'none':
      return NONE
    case 'format':
      for (const part of expr.parts) flow.emit('text', { node: part, value: of(part), how: 'format' })
      return STRING
    case 'attribute':
      return attribute(flow, expr, of(expr.object))
    case 'call':
      return call(flow, expr)
    case 'index':
      return index(flow, expr, false)
    case 'binary':
      return binary(flow, expr)
    case 'unary': {
      const value = of(expr.value)
      if (expr.op !== 'not') return value.kind === 'unknown' ? UNKNOWN : value
      flow.emit('truth', { node: expr.value, value })
      return BOOL
    }
    case 'choice': {
      const test = of(expr.test)
      flow.emit('truth', { node: expr.test, value: test })
      return join(of(expr.yes), of(expr.no), true)
    }
    case 'tuple':
      return { kind: 'tuple', items: expr.items.map(of) }
    case 'list':
    case 'set':
      return expr.items.length === 0
        ? { kind: 'list', of: NONE }
        : { kind: 'tuple', items: expr.items.map(of) }
    case 'dict': {
      const entries = new Map<string, Value>()
      for (const { key, value } of expr.entries) {
        const held = of(value)
        if (key?.kind === 'string') entries.set(key.text, held)
        else if (!key && held.kind === 'dict')
          for (const [name, each] of held.entries) entries.set(name, each)
      }
      return { kind: 'dict', entries }
    }
    case 'comprehension': {
      const before = new Map(flow.scope.values)
      for (const { target, iterable, tests } of expr.loops) {
        assign(flow, target, elementOf(of(iterable)))
        for (const test of tests) flow.emit('truth', { node: test, value: of(test) })
      }
      const element = of(expr.element)
      flow.scope.values.clear()
      for (const [name, value] of before) flow.scope.values.set(name, value)
      return {
        kind: 'list',
        of: element.kind === 'tuple' && isMapping(flow, expr) ? joined(element.items.slice(1)) : element,
      }
    }
    case 'lambda':
      return functionOf(expr, flow.scope)
    case 'slice':
    case 'other':
      expr.parts.forEach(of)
      return expr.kind === 'slice' ? OTHER : UNKNOWN
  }
}

/** `{k: v for …}`: what is looked up in it is a `v`. */
const isMapping = (flow: Flow, { from }: Expr): boolean => flow.text[from] === '{'

const BUILTINS = new Set(
  'abs all any bool callable dict enumerate filter float format getattr hasattr hash id input int isinstance iter len list map max min next open ord print range repr reversed round set setattr sorted str sum super tuple type vars zip'.split(
    ' ',
  ),
)

/** They hold what the user chose. */
const HOLDERS =
  /^(self|args?|opts?|options|config|cfg|conf|hparams|params|settings|accelerator|fabric|trainer|state)$/

const isHolder = (expr: Expr): boolean =>
  (expr.kind === 'name' || expr.kind === 'attribute') && HOLDERS.test(expr.name)

function attribute(flow: Flow, node: Attribute, object: Value): Value {
  const { name } = node
  switch (object.kind) {
    case 'imported':
      return { kind: 'imported', path: `${object.path}.${name}` }
    case 'tensor':
      if (
        /^(shape|dtype|ndim|requires_grad|is_cuda|is_leaf|layout|grad_fn|itemsize|nbytes|is_sparse)$/.test(
          name,
        )
      )
        return OTHER
      if (name === 'device') return { kind: 'device', where: object.where }
      return tensor(object.where, {
        isParameter: object.isParameter && name !== 'grad',
        isPinned: object.isPinned,
        loader: object.loader,
        isMask: object.isMask,
      })
    case 'thing':
      return ofThing(flow, object, name)
    case 'dict':
      return UNKNOWN
    case 'device':
      return STRING
    default: {
      // Nobody knows where an unknown tensor lies; where `args.device` points, the user has chosen.
      const isChoice = isHolder(node.object)
      return name === 'device' && !isChoice ? UNKNOWN : hintOf(name, flow.heatMap)
    }
  }
}

function ofThing(flow: Flow, object: Thing, name: string): Value {
  const own = object.attributes.get(name)
  if (own) return own
  const def = object.cls && methodOf(flow, object, name)
  if (def) return functionOf(def, flow.scope, object)
  if (object.role === 'optimizer' && name === 'param_groups')
    return {
      kind: 'list',
      of: {
        kind: 'dict',
        entries: new Map([['params', { kind: 'list', of: tensor('unknown', { isParameter: true }) }]]),
      },
    }
  if (object.role === 'module') {
    if (name === 'module') return object
    if (/^(weight|bias)$/.test(name)) return tensor(object.where, { isParameter: true })
    if (name === 'device') return { kind: 'device', where: object.where }
    if (/^(config|training|device_ids)$/.test(name)) return OTHER
    // A part of it, as far as anyone knows.
    return object.cls ? hintOf(name, flow.heatMap) : { ...object, attributes: new Map() }
  }
  if (object.path === 'accelerate.Accelerator' && name === 'device') return { kind: 'device', where: 'gpu' }
  return hintOf(name, flow.heatMap)
}

function methodOf(flow: Flow, { cls }: Thing, name: string) {
  for (let at = cls, depth = 0; at && depth < 5; depth += 1) {
    const def = defIn(at, name)
    if (def) return def
    const [base] = at.bases
    const value = base?.kind === 'name' ? flow.lookUp(base.name) : null
    at = value?.kind === 'class' ? value.cls : null
  }
  return null
}

function binary(flow: Flow, expr: Extract<Expr, { kind: 'binary' }>): Value {
  const { op } = expr
  const left = evaluate(flow, expr.left)
  if (op === 'and' || op === 'or') {
    flow.emit('truth', { node: expr.left, value: left })
    const right = evaluate(flow, expr.right)
    return left.kind === 'tensor' && right.kind === 'tensor'
      ? join(left, right)
      : right.kind === 'plain'
        ? right
        : UNKNOWN
  }
  const right = evaluate(flow, expr.right)
  if (op.startsWith('is')) return BOOL
  if (op === 'in' || op === 'not in') {
    // A string is looked up in a model's output, which is no tensor then.
    if (right.kind === 'tensor' && left.kind !== 'plain') flow.emit('truth', { node: expr, value: right })
    return BOOL
  }
  if (op === '-') flow.emit('minus', { node: expr, left, right })
  if (op === '%' && left.kind === 'plain' && left.type === 'string') {
    const items = expr.right.kind === 'tuple' ? expr.right.items : [expr.right]
    const values = right.kind === 'tuple' ? right.items : [right]
    items.forEach((node, at) => flow.emit('text', { node, value: values[at] ?? UNKNOWN, how: 'format' }))
    return STRING
  }
  const where = left.kind === 'tensor' || right.kind === 'tensor' ? together([left, right]) : null
  if (where !== null) {
    if (where === 'gpu') flow.launched()
    const areMasks = isMask(left) && (op === '*' ? isMask(right) : /^[&|^]$/.test(op))
    return operated(where, COMPARES.has(op) || areMasks)
  }
  if (left.kind === 'array' || right.kind === 'array') return { kind: 'array' }
  if (COMPARES.has(op)) return left.kind === 'unknown' || right.kind === 'unknown' ? UNKNOWN : BOOL
  if (left.kind === 'unknown' || right.kind === 'unknown') return UNKNOWN
  return left.kind === 'plain' && left.type === 'string' ? STRING : NUMBER
}

const isMask = (value: Value): boolean => value.kind === 'tensor' && value.isMask

function index(flow: Flow, node: Index, isStore: boolean): Value {
  const object = evaluate(flow, node.object)
  const items = node.items.map((each) => evaluate(flow, each))
  flow.emit('index', { node, object, items, isStore })
  const [first] = items
  const [key] = node.items
  switch (object.kind) {
    case 'tensor':
      if (object.where === 'gpu') flow.launched()
      return { ...object, isFresh: false, isMask: object.isMask }
    case 'dict':
      return (key?.kind === 'string' ? object.entries.get(key.text) : undefined) ?? UNKNOWN
    case 'tuple': {
      const at = first?.kind === 'plain' && first.text !== null ? Number(first.text) : NaN
      return Number.isInteger(at)
        ? (object.items.at(at) ?? UNKNOWN)
        : key?.kind === 'slice'
          ? object
          : elementOf(object)
    }
    case 'list':
      return key?.kind === 'slice' ? object : object.of
    case 'array':
      return key?.kind === 'slice' || first?.kind === 'array' ? object : { kind: 'array' }
    case 'thing':
      return object.role === 'module' ? object : UNKNOWN
    default:
      return UNKNOWN
  }
}

/** Gives a name, an attribute, an element or several of them what stands on the right. */
export function assign(flow: Flow, target: Expr, value: Value): void {
  switch (target.kind) {
    case 'name':
      flow.set(target.name, value)
      return
    case 'attribute': {
      const object = evaluate(flow, target.object)
      if (object.kind !== 'thing') return
      const before = object.attributes.get(target.name)
      const hinted = value.kind === 'unknown' ? hintOf(target.name, flow.heatMap) : value
      object.attributes.set(target.name, before && hinted.kind === 'unknown' ? before : hinted)
      return
    }
    case 'index': {
      index(flow, target, true)
      const object = evaluate(flow, target.object)
      const [key] = target.items
      if (object.kind === 'dict' && key?.kind === 'string') object.entries.set(key.text, value)
      return
    }
    case 'tuple':
    case 'list':
      target.items.forEach((item, at) => assign(flow, item, partOf(value, at)))
      return
    default:
  }
}

function call(flow: Flow, node: Call): Value {
  const { callee } = node
  const receiver = callee.kind === 'attribute' ? receiverOf(flow, callee) : UNKNOWN
  const called = callee.kind === 'attribute' ? attribute(flow, callee, receiver) : evaluate(flow, callee)
  const args: Value[] = []
  const named = new Map<string, Value>()
  for (const { value, name, spread } of node.args) {
    const given = evaluate(flow, value)
    if (name !== null) named.set(name, given)
    else if (spread === null) args.push(given)
    else if (spread === '*') args.push(...(given.kind === 'tuple' ? given.items : [elementOf(given)]))
    else if (given.kind === 'dict') {
      for (const [key, each] of given.entries) named.set(key, each)
      named.set('**', given)
    } else named.set('', elementOf(given).kind === 'plain' ? given : elementOf(given))
  }
  const path = called.kind === 'imported' ? called.path : null
  const method = callee.kind === 'attribute' && path === null ? callee.name : null
  const event: CallEvent = { node, path, method, receiver, args, named }
  flow.emit('call', event)
  emitTexts(flow, event)
  return result(flow, called, event)
}

/**
 * What another file computed from tensors, or a loss, is one where only tensors have the method.
 */
function receiverOf(flow: Flow, { object, name }: Attribute): Value {
  const value = evaluate(flow, object)
  if (value.kind !== 'unknown' || !flow.heatMap.hasGpu || !/^(item|tolist|cpu|detach)$/.test(name))
    return value
  return value.isOfGpu === true || /loss/i.test(flow.text.slice(object.from, object.to))
    ? tensor('gpu')
    : value
}

const LOGS = /^(debug|info|warning|warn|error|critical|exception|log|success)$/

/** Emits events for values that are printed, logged or formatted. */
function emitTexts(flow: Flow, { node, path, method, receiver, args }: CallEvent): void {
  const name = node.callee.kind === 'attribute' ? node.callee.object : null
  const isLogger =
    (receiver.kind === 'thing' && receiver.path === 'logging.Logger') ||
    (name?.kind === 'name' && /^_?(logger|log|logging)$/i.test(name.name))
  const how =
    path === 'print' || path === 'tqdm.tqdm.write' || method === 'write'
      ? 'print'
      : path === 'str' || path === 'repr' || (method === 'format' && receiver.kind === 'plain')
        ? 'format'
        : isLogger && LOGS.test(method ?? path?.split('.').at(-1) ?? '')
          ? 'log'
          : null
  if (how === null) return
  node.args.forEach(({ value: part }, at) => {
    const value = args[at]
    if (value) flow.emit('text', { node: part, value, how })
  })
}

function result(flow: Flow, called: Value, event: CallEvent): Value {
  const { node, receiver, method, args, named } = event
  if (called.kind === 'imported') {
    const builtin = builtinCall(called.path, event, flow)
    if (builtin) return builtin
    if (called.path === 'dict') return { kind: 'dict', entries: new Map(named) }
    const known = libraryCall(called.path, event, flow)
    if (known) return known
    return byName(flow, node, [...args, ...named.values()])
  }
  if (called.kind === 'function') return flow.follow(called, event)
  if (called.kind === 'class') return flow.make(called, event)
  if (method !== null && receiver.kind === 'tensor') return tensorMethod(receiver, event, flow)
  if (method !== null && receiver.kind === 'thing') {
    // A part of a module that is called: `self.encoder(x)`.
    if (called.kind === 'thing' && called.role === 'module' && receiver.attributes.has(method))
      return callThing(flow, called, event)
    return thingMethod(receiver, event, flow)
  }
  if (method !== null && (receiver.kind === 'dict' || receiver.kind === 'list' || receiver.kind === 'tuple'))
    return collectionMethod(flow, receiver, event)
  if (called.kind === 'thing') return callThing(flow, called, event)
  if (method === 'format' || method === 'join') return STRING
  if (receiver.kind === 'unknown' && method !== null) {
    const copied = copyOfUnknown(flow, event)
    if (copied) return copied
  }
  return byName(flow, node, [...args, ...named.values()])
}

/** Whoever moves a value to the GPU in every step has it on the host. */
function copyOfUnknown(flow: Flow, event: CallEvent): Value | null {
  const { node, method, args, named } = event
  const isEveryBatch = isHot(flow.heat) || flow.heat === 'evaluate'
  if (!isEveryBatch || (method !== 'to' && method !== 'cuda')) return null
  const target = named.get('device') ?? args[0]
  if (method === 'to' && placeIn(target) !== 'gpu') return null
  const given = node.args.find(({ name }) => name === null || name === 'device')?.value
  const isBeside = given?.kind === 'attribute' && !isHolder(given.object)
  const isOfGraph = /\.(grad|detach)\b/.test(flow.text.slice(node.callee.from, node.callee.to))
  const where = isBeside || isOfGraph || flow.heatMap.prepares ? 'unknown' : 'cpu'
  return tensorMethod(tensor(where), event, flow)
}

/** A module is called through its `forward`, where the file has it. */
function callThing(flow: Flow, called: Thing, event: CallEvent): Value {
  if (called.role === 'module') {
    const forward = called.cls && methodOf(flow, called, 'forward')
    if (forward) {
      flow.launched()
      const returned = flow.follow(functionOf(forward, flow.scope, called), event)
      if (returned.kind !== 'unknown') return returned
    }
    return thingMethod(called, { ...event, method: null }, flow)
  }
  const own = called.cls && methodOf(flow, called, '__call__')
  if (own) return flow.follow(functionOf(own, flow.scope, called), event)
  if (called.path.startsWith('torchmetrics.')) return tensor(together(event.args) ?? 'unknown')
  return UNKNOWN
}

/** Value of a function that is not in the file: a loss of tensors is a tensor where they are. */
function byName(flow: Flow, { callee }: Call, values: readonly Value[]): Value {
  const name = callee.kind === 'attribute' || callee.kind === 'name' ? callee.name : ''
  const loader = values.find((value) => loaderOf(value) !== null)
  if (loader && /log|progress|track|bar$/i.test(name)) return thing('other', name, { inner: loader })
  const where = together(values)
  if (where !== null && /loss|criterion|forward/i.test(name) && !/loss_?scaler/i.test(name)) {
    if (where === 'gpu') flow.launched()
    return tensor(where)
  }
  return where === 'gpu' ? UNKNOWN_OF_GPU : UNKNOWN
}

function collectionMethod(flow: Flow, receiver: Value, { node, method, args, named }: CallEvent): Value {
  if (receiver.kind === 'dict') {
    if (method === 'update') {
      const [given] = args
      if (given?.kind === 'dict') for (const [name, value] of given.entries) receiver.entries.set(name, value)
      for (const [name, value] of named) receiver.entries.set(name, value)
      return NONE
    }
    if (method === 'items')
      return { kind: 'list', of: { kind: 'tuple', items: [STRING, joined([...receiver.entries.values()])] } }
    if (method === 'values') return { kind: 'list', of: joined([...receiver.entries.values()]) }
    if (method === 'get' || method === 'pop') {
      const key = node.args[0]?.value
      return (key?.kind === 'string' ? receiver.entries.get(key.text) : undefined) ?? UNKNOWN
    }
    return method === 'copy' ? receiver : UNKNOWN
  }
  if (method === 'append' && node.callee.kind === 'attribute') {
    const [given = UNKNOWN] = args
    assign(flow, node.callee.object, { kind: 'list', of: join(elementOf(receiver), given) })
    return NONE
  }
  return method === 'pop' ? elementOf(receiver) : UNKNOWN
}
