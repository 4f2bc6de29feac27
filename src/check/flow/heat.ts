/**
 * Finds the code that runs every training step, by what a step does: `backward()`, or a step of the
 * optimizer.
 */
import {
  dottedName,
  allExpressions,
  contentsOf,
  expressionsIn,
  functionsIn,
  type Call,
  type Def,
  type Expr,
  type Module,
  type Stmt,
  type Defined,
} from '../syntax'

export type Heat =
  /** Every training step. */
  | 'train'
  /** Every batch of an evaluation, once an epoch; 'infer' where the file trains nothing. */
  | 'evaluate'
  | 'infer'
  /** Every so many steps. */
  | 'rare'
  | 'setup'

export const isHot = (heat: Heat): boolean => heat === 'train' || heat === 'infer'

export interface HeatMap {
  readonly functions: readonly Defined[]
  /** These statements take a step, outside of any further loop. */
  readonly steps: (stmts: readonly Stmt[]) => boolean
  readonly trains: boolean
  /** The file names a GPU anywhere. */
  readonly hasGpu: boolean
  /** Accelerate's loaders put their batches on the GPU. */
  readonly prepares: boolean
  /** Names that are differentiated: losses, whoever made them. */
  readonly losses: ReadonlySet<string>
}

const STEPPING =
  /(^|[._])(opt|optim|optimizer|optimizer_?\w|opt_?\w|optim_?\w|\w*optimizer\w*|scaler|engine)$/i

function isStep(call: Call): boolean {
  // `loss_scaler(loss, optimizer)` of timm and others.
  if (call.callee.kind === 'name' && call.callee.name === 'loss_scaler') return true
  if (call.callee.kind !== 'attribute') return false
  const { name, object } = call.callee
  if (name === 'backward' || name === 'manual_backward') return true
  if (name !== 'step') return false
  const path = dottedName(object)
  return path !== null && STEPPING.test(path)
}

const OTHERS_STEP = /sched|prof|env|ema|warm/i

const objectOf = ({ callee }: Call): string =>
  callee.kind === 'attribute' ? (dottedName(callee.object) ?? '') : ''

export function heatMap({ body, text }: Module): HeatMap {
  const functions = [...functionsIn(body)]
  const losses = new Set<string>()
  const known = new Map<Def, boolean>()
  const callSteps = (call: Call): boolean => {
    if (isStep(call)) return true
    // The function of this file that a call may mean, by its last name.
    const name = 'name' in call.callee ? call.callee.name : null
    // Schedulers, profilers and environments step too.
    if (name === null || (name === 'step' && OTHERS_STEP.test(objectOf(call)))) return false
    return functions.some(({ def }) => def.name === name && defSteps(def))
  }
  const defSteps = (def: Def): boolean => {
    const found = known.get(def)
    if (found !== undefined) return found
    known.set(def, false) // while it is being looked at: recursion
    const result = steps(def.body)
    known.set(def, result)
    return result
  }
  const exprSteps = (expr: Expr): boolean =>
    [...expressionsIn(expr)].some((each) => each.kind === 'call' && callSteps(each))
  const steps = (stmts: readonly Stmt[]): boolean =>
    stmts.some((stmt) => {
      if (stmt.kind === 'for') return exprSteps(stmt.iterable)
      if (stmt.kind === 'while') return false
      const { own, bodies } = contentsOf(stmt)
      return own.some(exprSteps) || bodies.some(steps)
    })

  let trains = false
  for (const stmts of [body, ...functions.map(({ def }) => def.body)])
    for (const expr of allExpressions(stmts)) {
      if (expr.kind !== 'call') continue
      if (isStep(expr)) trains = true
      if (expr.callee.kind !== 'attribute') continue
      // `accelerator.backward(loss)` differentiates what it is given.
      const isOfLoss = expr.args.every(({ name }) => name !== null)
      if (expr.callee.name === 'backward' && expr.callee.object.kind === 'name' && isOfLoss)
        losses.add(expr.callee.object.name)
    }
  return {
    functions,
    steps,
    trains,
    prepares: /\.prepare(_data_loader)?\(/.test(text),
    losses,
    hasGpu: /cuda|\bgpu|device|accelerat|\bfabric\b|local_rank/i.test(text),
  }
}

/** `x % n`, `x % n != c` and `x % 1 == 0` hold in most steps. */
function isMostly(test: Expr): boolean {
  if (test.kind !== 'binary') return false
  const isEvery = ({ kind, ...rest }: Expr): boolean => kind === 'binary' && 'op' in rest && rest.op === '%'
  const one = (expr: Expr): boolean =>
    expr.kind === 'binary' && expr.right.kind === 'number' && expr.right.text === '1'
  return test.op === '%' || (isEvery(test.left) && (test.op === '!=' || one(test.left)))
}

/**
 * A branch that is taken every so many steps, or where something is reported or kept.
 *
 * @param isOne the expression is known to be 1, as an interval of logs may be
 */
export function isRareTest(test: Expr, isOne: (expr: Expr) => boolean): boolean {
  const all = [...expressionsIn(test)]
  const always = new Set(
    all.flatMap((expr) =>
      expr.kind === 'binary' && expr.op === '%' && isOne(expr.right) ? [...expressionsIn(expr)] : [],
    ),
  )
  return all.some(
    (expr) =>
      !always.has(expr) &&
      ((expr.kind === 'binary' && expr.op === '%' && !isMostly(test)) ||
        ((expr.kind === 'name' || expr.kind === 'attribute') &&
          /log|print|verbose|debug|interval|every|freq|save|checkpoint|report|dry_run|profil|plot|display|synchron|last_batch|is_last|first_batch/i.test(
            expr.name,
          ))),
  )
}

/** `if step % n: continue`: the rest of the loop's body runs every so many steps. */
export function skipsMostly(stmt: Stmt): boolean {
  if (stmt.kind !== 'if' || stmt.branches.length !== 1) return false
  const [branch] = stmt.branches
  const last = branch?.body.at(-1)
  return Boolean(branch?.test && isMostly(branch.test)) && last?.kind === 'stop' && last.how === 'continue'
}

const GPU_WORD = /cuda|gpu|device|accelerat/i

/** The branch asks whether there is a GPU. */
export const isGpuTest = (test: Expr): boolean =>
  [...expressionsIn(test)].some(
    (expr) =>
      ((expr.kind === 'name' || expr.kind === 'attribute') && GPU_WORD.test(expr.name)) ||
      (expr.kind === 'string' && GPU_WORD.test(expr.text)),
  )

/**
 * The branch is taken by some ranks alone: it compares a rank with 0. `rank != -1` asks whether
 * there are ranks.
 */
export const isRankTest = (test: Expr): boolean =>
  [...expressionsIn(test)].some((expr) => {
    if (expr.kind === 'name' || expr.kind === 'attribute')
      return /^is_(main|master|rank_?0|primary|local_main)/i.test(expr.name)
    if (expr.kind !== 'binary' || !/^(==|!=)$/.test(expr.op)) return false
    const isZero = expr.right.kind === 'number' && expr.right.text === '0'
    return isZero && [...expressionsIn(expr.left)].some(isRank)
  })

const isRank = (expr: Expr): boolean =>
  (expr.kind === 'name' || expr.kind === 'attribute') &&
  /^((local|global|world)_)?rank$|^get_rank$/i.test(expr.name)

/** After it nothing more of the loop runs. */
export const endsLoop = (body: readonly Stmt[]): boolean => {
  const last = body.at(-1)
  if (!last) return false
  if (last.kind === 'stop') return last.how !== 'continue'
  const path = last.kind === 'expression' && last.value.kind === 'call' ? dottedName(last.value.callee) : null
  return path === 'sys.exit' || path === 'exit' || path === 'quit' || path === 'os._exit'
}
