/**
 * Goes through statements: branches join what their names hold, loops are gone through twice, calls
 * of the file's own functions are followed.
 */
import {
  allExpressions,
  contentsOf,
  expressionsIn,
  statementsIn,
  type Class,
  type Expr,
  type For,
  type Module,
  type Stmt,
  type While,
} from '../syntax'
import { assign, evaluate } from './evaluate'
import type { CallEvent } from './events'
import { Flow, type Act, type Listen } from './flow'
import { endsLoop, heatMap, isGpuTest, isRankTest, isRareTest, skipsMostly, type Heat } from './heat'
import { isTrue } from './torch'
import {
  defIn,
  elementOf,
  functionOf,
  join,
  loaderOf,
  loaderThing,
  NONE,
  NUMBER,
  tensor,
  thing,
  UNKNOWN,
  UNKNOWN_LOADER,
  type FunctionValue,
  type Scope,
  type Thing,
  type Value,
} from './values'

/** @returns what the host did in which loop, in the order of the program */
export function followProgram(module: Module, listen: Listen): readonly Act[] {
  const flow = new Flow(module.text, heatMap(module), listen)
  flow.follow = (called, event) => follow(flow, called, event)
  flow.make = (cls, event) => make(flow, cls, event)
  declare(flow, module.body)
  run(flow, module.body)
  followTheRest(flow)
  return flow.acts
}

/**
 * Functions that nothing here calls, with arguments of which only the names are known. Callers come
 * before those that they call.
 */
function followTheRest(flow: Flow): void {
  const { functions } = flow.heatMap
  const called = new Set<string>()
  for (const { def } of functions)
    for (const each of allExpressions(def.body))
      if (each.kind === 'call' && 'name' in each.callee) called.add(each.callee.name)
  const objects = new Map<Class, Thing>()
  const ordered = functions
    .filter(({ isNested }) => !isNested)
    .toSorted((a, b) => Number(called.has(a.def.name)) - Number(called.has(b.def.name)))
  for (const { def, cls } of ordered) {
    if (flow.followed.has(def) || def.name === '__init__' || (cls && def.name === 'forward')) continue
    let self = cls ? (objects.get(cls) ?? null) : null
    if (cls && !self) {
      const made = make(flow, { kind: 'class', cls, scope: flow.scope }, null)
      self = made.kind === 'thing' ? made : null
      if (self) objects.set(cls, self)
    }
    // A function that takes a step, and that no loop here calls, is one that somebody calls every
    // step.
    const heat = flow.heat
    if (flow.heatMap.steps(def.body) || /^training_step$/.test(def.name)) flow.heat = 'train'
    follow(flow, functionOf(def, flow.scope, self), null)
    flow.heat = heat
  }
}

/** Functions and classes are known from the start, wherever they are written. */
function declare(flow: Flow, body: readonly Stmt[]): void {
  for (const stmt of body)
    if (stmt.kind === 'def') flow.scope.values.set(stmt.name, functionOf(stmt, flow.scope))
    else if (stmt.kind === 'class')
      flow.scope.values.set(stmt.name, { kind: 'class', cls: stmt, scope: flow.scope })
    else if (stmt.kind === 'import')
      for (const { name, path } of stmt.names)
        flow.scope.values.set(name, { kind: 'imported', path: canonical(path) })
    else if (stmt.kind === 'if' || stmt.kind === 'try') declare(flow, contentsOf(stmt).bodies.flat())
}

/** One name for what PyTorch exports under several. */
const canonical = (path: string): string =>
  path
    .replace(/^torch\.utils\.data\.dataloader\./, 'torch.utils.data.')
    .replace(/^tqdm\.(auto|notebook|autonotebook)\b/, 'tqdm')

function run(flow: Flow, stmts: readonly Stmt[]): void {
  for (const [index, stmt] of stmts.entries()) {
    flow.statement = stmt
    step(flow, stmt)
    const rest = stmts.slice(index + 1)
    if (!skipsMostly(stmt) || flow.heatMap.steps(rest)) continue
    apart(flow, 'rare', rest)
    return
  }
}

function step(flow: Flow, stmt: Stmt): void {
  const of = (expr: Expr): Value => evaluate(flow, expr)
  switch (stmt.kind) {
    case 'assign': {
      if (!stmt.value) return
      const value = of(stmt.value)
      for (const target of stmt.targets) assign(flow, target, value)
      return
    }
    case 'update': {
      const { from, to, op, target, value: right } = stmt
      const value = of({ from, to, kind: 'binary', op: op.slice(0, -1), left: target, right })
      assign(flow, target, value)
      return
    }
    case 'expression':
      of(stmt.value)
      return
    case 'return': {
      const value = stmt.value ? of(stmt.value) : NONE
      flow.returned = flow.returned ? join(flow.returned, value, true) : value
      return
    }
    case 'assert':
      flow.emit('truth', { node: stmt.test, value: of(stmt.test) })
      return
    case 'import':
    case 'def':
    case 'class':
      declare(flow, [stmt])
      return
    case 'if':
      branch(flow, stmt)
      return
    case 'for':
    case 'while':
      loop(flow, stmt)
      return
    case 'with':
      within(flow, stmt)
      return
    case 'try': {
      run(flow, stmt.body)
      for (const { keyword, body } of stmt.rest)
        if (keyword === 'except') apart(flow, 'rare', body)
        else run(flow, body)
      return
    }
    case 'other':
      stmt.parts.forEach(of)
      return
    case 'stop':
  }
}

/** Statements that run more rarely than what is around them. */
function apart(flow: Flow, heat: Heat, body: readonly Stmt[]): void {
  const before = flow.heat
  if (flow.heat !== 'setup') flow.heat = heat
  run(flow, body)
  flow.heat = before
}

function branch(flow: Flow, stmt: Extract<Stmt, { kind: 'if' }>): void {
  const before = new Map(flow.scope.values)
  const ends: Map<string, Value>[] = []
  let isGpuChosen = false
  let hasElse = false
  const isOne = (expr: Expr) => {
    const value = expr.kind === 'name' ? flow.lookUp(expr.name) : null
    return value?.kind === 'plain' && value.type === 'number' && value.text === '1'
  }
  for (const { test, body } of stmt.branches) {
    flow.statement = stmt
    if (test) {
      const value = evaluate(flow, test)
      flow.emit('truth', { node: test, value })
      isGpuChosen ||= isGpuTest(test)
    } else hasElse = true
    const { isOfSomeRanks, isOfStep } = flow
    if (test && takesModulo(test) && flow.heatMap.steps(body)) flow.isOfStep = true
    if (test && isRankTest(test)) flow.isOfSomeRanks = true
    const isRare = (test && isRareTest(test, isOne) && !flow.heatMap.steps(body)) || endsLoop(body)
    apart(flow, isRare ? 'rare' : flow.heat, body)
    flow.isOfSomeRanks = isOfSomeRanks
    flow.isOfStep = isOfStep
    if (!isLeft(body)) ends.push(new Map(flow.scope.values))
    restore(flow.scope, before)
  }
  if (!hasElse) ends.push(before)
  const [first, ...others] = ends
  if (!first) return
  restore(
    flow.scope,
    others.reduce((sum, each) => joinScopes(sum, each, isGpuChosen), first),
  )
}

/** Code after it does not run. */
const isLeft = (body: readonly Stmt[]): boolean => {
  const last = body.at(-1)
  return last?.kind === 'stop' || last?.kind === 'return'
}

function restore(scope: Scope, values: ReadonlyMap<string, Value>): void {
  scope.values.clear()
  for (const [name, value] of values) scope.values.set(name, value)
}

function joinScopes(
  a: ReadonlyMap<string, Value>,
  b: ReadonlyMap<string, Value>,
  isGpuChosen: boolean,
): Map<string, Value> {
  const both = new Map(a)
  for (const [name, value] of b) {
    const other = a.get(name)
    both.set(name, other ? join(other, value, isGpuChosen) : value)
  }
  return both
}

function loop(flow: Flow, node: For | While): void {
  const iterated = node.kind === 'for' ? evaluate(flow, node.iterable) : UNKNOWN
  const heat = heatOf(flow, node, iterated)
  const isRepeated = flow.loops.length > 0
  if (loaderOf(iterated)) flow.act(node, 'batch')
  if (node.kind === 'for') flow.emit('loop', { node, value: iterated, heat, isRepeated })
  const before = new Map(flow.scope.values)
  const outer = { heat: flow.heat, isReporting: flow.isReporting }
  flow.loops.push({ node, heat, accumulates: accumulates(flow, node.body) })
  flow.heat = heat
  // The first pass finds what names hold at the end of an iteration: they hold it at the beginning
  // of the next.
  const passes = flow.isReporting ? 2 : 1
  for (let pass = 1; pass <= passes; pass += 1) {
    flow.isReporting = outer.isReporting && pass === passes
    flow.iterations += 1
    if (node.kind === 'for') assign(flow, node.target, elementOf(iterated))
    else {
      flow.statement = node
      flow.emit('truth', { node: node.test, value: evaluate(flow, node.test) })
    }
    run(flow, node.body)
    restore(flow.scope, joinScopes(before, flow.scope.values, true))
  }
  flow.isReporting = outer.isReporting
  flow.loops.pop()
  flow.heat = outer.heat
  flow.iterations += 1
  if (node.kind === 'for') run(flow, node.otherwise)
}

const takesModulo = (test: Expr): boolean =>
  [...expressionsIn(test)].some((each) => each.kind === 'binary' && each.op === '%')

/**
 * A step of the optimizer under a condition, with `%`, in a loop that differentiates every
 * iteration.
 */
function accumulates(flow: Flow, body: readonly Stmt[]): boolean {
  for (const stmt of statementsIn(body)) {
    if (stmt.kind !== 'if') continue
    for (const { test, body: inner } of stmt.branches)
      if (test && takesModulo(test) && flow.heatMap.steps(inner)) return true
  }
  return false
}

function heatOf(flow: Flow, node: For | While, iterated: Value): Heat {
  if (flow.heat === 'rare') return 'rare'
  if (flow.heat === 'train') return 'train'
  if (flow.heatMap.steps(node.body)) return 'train'
  if (flow.heat === 'evaluate' || flow.heat === 'infer') return flow.heat
  if (!loaderOf(iterated) || trainsWithin(flow, node.body)) return 'setup'
  return flow.heatMap.trains ? 'evaluate' : 'infer'
}

const trainsWithin = (flow: Flow, body: readonly Stmt[]): boolean =>
  [...statementsIn(body)].some(
    (stmt) => (stmt.kind === 'for' || stmt.kind === 'while') && flow.heatMap.steps(stmt.body),
  )

const NO_GRADIENTS = /^torch\.(autograd\.)?(grad_mode\.)?(no_grad|inference_mode)$/

function within(flow: Flow, stmt: Extract<Stmt, { kind: 'with' }>): void {
  const { hasGradients, defaultWhere } = flow
  for (const { value, target } of stmt.items) {
    const held = evaluate(flow, value)
    if (target) assign(flow, target, held)
    if (held.kind === 'device') flow.defaultWhere = held.where
    if (value.kind !== 'call') continue
    const called = evaluate(flow, value.callee)
    const path = called.kind === 'imported' ? called.path : ''
    const [first] = value.args
    if (NO_GRADIENTS.test(path)) flow.hasGradients = false
    else if (path === 'torch.set_grad_enabled' && first && isTrue(evaluate(flow, first.value)) !== true)
      flow.hasGradients = false
    else if (target && held.kind === 'unknown' && first) assign(flow, target, UNKNOWN)
  }
  run(flow, stmt.body)
  flow.hasGradients = hasGradients
  flow.defaultWhere = defaultWhere
}

function follow(flow: Flow, called: FunctionValue, event: CallEvent | null): Value {
  const { body } = called
  if (!flow.canFollow(body)) return UNKNOWN
  const scope: Scope = { values: new Map(), parent: called.scope }
  bind(flow, called, event, scope)
  const before = {
    scope: flow.scope,
    statement: flow.statement,
    returned: flow.returned,
    hasGradients: flow.hasGradients,
    isOfSomeRanks: flow.isOfSomeRanks,
  }
  flow.scope = scope
  flow.returned = null
  flow.active.push(body)
  let result: Value
  if (body.kind === 'def') {
    flow.followed.add(body)
    if (body.decorators.some((each) => isNoGradDecorator(flow, each))) flow.hasGradients = false
    if (event) flow.via.push({ def: body, call: event.node })
    declare(
      flow,
      body.body.filter(({ kind }) => kind === 'def' || kind === 'class'),
    )
    run(flow, body.body)
    if (event) flow.via.pop()
    result = returnedBy(flow) ?? NONE
  } else result = evaluate(flow, body)
  flow.active.pop()
  Object.assign(flow, before)
  return result
}

/** The compiler believes what stood in the field before the statements ran. */
const returnedBy = (flow: Flow): Value | null => flow.returned

function isNoGradDecorator(flow: Flow, decorator: Expr): boolean {
  const name = decorator.kind === 'call' ? decorator.callee : decorator
  const value = evaluate(flow, name)
  return value.kind === 'imported' && NO_GRADIENTS.test(value.path)
}

/** The function's names for what it is given. */
function bind(flow: Flow, { params, self }: FunctionValue, event: CallEvent | null, scope: Scope): void {
  const given = [...(event?.args ?? [])]
  const isMethod = self !== null && params[0]?.spread === null
  const rest = isMethod ? params.slice(1) : params
  if (isMethod && params[0]) scope.values.set(params[0].name, self)
  for (const { name, spread, type, initial } of rest) {
    if (spread !== null) {
      scope.values.set(
        name,
        spread === '*'
          ? { kind: 'tuple', items: given.splice(0) }
          : { kind: 'dict', entries: new Map(event?.named) },
      )
      continue
    }
    const value =
      event?.named.get(name) ??
      given.shift() ??
      (event?.named.has('') ? (event.named.get('') ?? UNKNOWN) : initial ? evaluate(flow, initial) : UNKNOWN)
    const known = isUseless(value) ? typed(flow, type, name) : value
    scope.values.set(name, known)
  }
}

/** Its default says nothing of what it is in a call from elsewhere. */
const isUseless = (value: Value): boolean =>
  value.kind === 'unknown' || (value.kind === 'plain' && value.type === 'none')

function typed(flow: Flow, type: Expr | null, name: string): Value {
  const text = type ? flow.text.slice(type.from, type.to) : ''
  if (/(^|[.[])(Tensor|LongTensor|FloatTensor)\b/.test(text)) return tensor('unknown')
  if (/(^|\.)Module$/.test(text)) return thing('module', 'torch.nn.Module')
  if (/DataLoader\b/.test(text)) return loaderThing(UNKNOWN_LOADER)
  if (/^(int|float|bool|str)$/.test(text)) return NUMBER
  return flow.hint(name)
}

const MODULE_BASES = /(^|\.)(Module|ModuleList|Sequential|LightningModule|PreTrainedModel|\w*Model)$/

function isModule(flow: Flow, cls: Class, depth = 0): boolean {
  return cls.bases.some((base) => {
    const value = evaluate(flow, base)
    if (value.kind === 'imported') return MODULE_BASES.test(value.path) || value.path.startsWith('torch.nn.')
    return value.kind === 'class' && depth < 5 && isModule(flow, value.cls, depth + 1)
  })
}

/** An object of a class: its attributes are what `__init__` gives them. */
function make(flow: Flow, { cls, scope }: Extract<Value, { kind: 'class' }>, event: CallEvent | null): Value {
  const object = thing(isModule(flow, cls) ? 'module' : 'other', cls.name, {
    cls,
    where: event ? flow.defaultWhere : 'unknown',
  })
  const init = defIn(cls, '__init__')
  const heat = flow.heat
  if (init) follow(flow, functionOf(init, scope, object), event)
  flow.heat = heat
  return object
}
