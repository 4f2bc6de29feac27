/** Every expression below a statement or an expression, in the order of the text. */
import type { Expr, Stmt } from './syntax'

function partsOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'attribute':
      return [expr.object]
    case 'call':
      return [expr.callee, ...expr.args.map(({ value }) => value)]
    case 'index':
      return [expr.object, ...expr.items]
    case 'format':
    case 'slice':
    case 'other':
      return expr.parts
    case 'binary':
      return [expr.left, expr.right]
    case 'unary':
    case 'walrus':
      return [expr.value]
    case 'choice':
      return [expr.test, expr.yes, expr.no]
    case 'tuple':
    case 'list':
    case 'set':
      return expr.items
    case 'dict':
      return expr.entries.flatMap(({ key, value }) => (key ? [key, value] : [value]))
    case 'comprehension':
      return [
        ...expr.loops.flatMap(({ target, iterable, tests }) => [target, iterable, ...tests]),
        expr.element,
      ]
    case 'lambda':
      return [expr.body]
    case 'name':
    case 'number':
    case 'bool':
    case 'none':
    case 'string':
      return []
  }
}

export function* expressionsIn(expr: Expr): Generator<Expr> {
  yield expr
  for (const part of partsOf(expr)) yield* expressionsIn(part)
}

/** Expressions of this statement itself, and the statements in it. */
export function contentsOf(stmt: Stmt): {
  readonly own: readonly Expr[]
  readonly bodies: readonly (readonly Stmt[])[]
} {
  switch (stmt.kind) {
    case 'for':
      return { own: [stmt.target, stmt.iterable], bodies: [stmt.body, stmt.otherwise] }
    case 'while':
      return { own: [stmt.test], bodies: [stmt.body] }
    case 'if':
      return {
        own: stmt.branches.flatMap(({ test }) => (test ? [test] : [])),
        bodies: stmt.branches.map(({ body }) => body),
      }
    case 'with':
      return { own: stmt.items.map(({ value }) => value), bodies: [stmt.body] }
    case 'try':
      return { own: [], bodies: [stmt.body, ...stmt.rest.map(({ body }) => body)] }
    case 'assign':
      return { own: [...stmt.targets, ...(stmt.value ? [stmt.value] : [])], bodies: [] }
    case 'update':
      return { own: [stmt.target, stmt.value], bodies: [] }
    case 'expression':
      return { own: [stmt.value], bodies: [] }
    case 'return':
      return { own: stmt.value ? [stmt.value] : [], bodies: [] }
    case 'assert':
      return { own: [stmt.test], bodies: [] }
    case 'other':
      return { own: stmt.parts, bodies: [] }
    case 'def':
    case 'class':
    case 'import':
    case 'stop':
      return { own: [], bodies: [] }
  }
}

/** Statements below these too, without those of functions and classes that are defined there. */
export function* statementsIn(stmts: readonly Stmt[]): Generator<Stmt> {
  for (const stmt of stmts) {
    yield stmt
    for (const body of contentsOf(stmt).bodies) yield* statementsIn(body)
  }
}

export function* allExpressions(stmts: readonly Stmt[]): Generator<Expr> {
  for (const stmt of statementsIn(stmts)) for (const expr of contentsOf(stmt).own) yield* expressionsIn(expr)
}
