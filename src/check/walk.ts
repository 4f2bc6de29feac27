/** Every expression below a statement or an expression, in the order of the text. */
import type { Class, Def, Expr, Stmt } from './syntax'

interface Contents {
  readonly own: readonly Expr[]
  readonly bodies: readonly (readonly Stmt[])[]
}

/** A function and a class are gone through where they are called. */
const NOTHING: Contents = { own: [], bodies: [] }

/** Expressions of this node itself, without those of a parameter's default, and the statements in it. */
export function contentsOf(node: Expr | Stmt): Contents {
  return node.kind === 'def' || node.kind === 'class' ? NOTHING : contentsIn(node)
}

/** The same for what is no node: an argument, a branch. The parser writes fields in the text's order. */
function contentsIn(part: object): Contents {
  const own: Expr[] = []
  const bodies: (readonly Stmt[])[] = []
  for (const [name, field] of Object.entries(part) as [string, unknown][]) {
    if (typeof field !== 'object' || field === null || name === 'params') continue
    if (Array.isArray(field) && (name === 'body' || name === 'otherwise')) bodies.push(field as Stmt[])
    else
      for (const each of [field].flat() as readonly object[]) {
        const inner = 'kind' in each ? { own: [each as Expr], bodies: [] } : contentsIn(each)
        own.push(...inner.own)
        bodies.push(...inner.bodies)
      }
  }
  return { own, bodies }
}

export function* expressionsIn(expr: Expr): Generator<Expr> {
  yield expr
  for (const part of contentsOf(expr).own) yield* expressionsIn(part)
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

export interface Defined {
  readonly def: Def
  /** The class that has it as a method. */
  readonly cls: Class | null
  /** It is defined inside another function. */
  readonly isNested: boolean
}

/** Every function, in the order of the text. */
export function* functionsIn(
  body: readonly Stmt[],
  cls: Class | null = null,
  isNested = false,
): Generator<Defined> {
  for (const stmt of statementsIn(body))
    if (stmt.kind === 'class') yield* functionsIn(stmt.body, stmt, isNested)
    else if (stmt.kind === 'def') {
      yield { def: stmt, cls, isNested }
      yield* functionsIn(stmt.body, null, true)
    }
}
