/** Programs of nested loops in every form that WGSL has, from a seed. */
import fc from 'fast-check'
import type { Program } from './mend-page'

interface Loop {
  readonly form:
    | 'for'
    | 'for without condition'
    | 'while'
    | 'loop'
    | 'loop with break if'
    | 'loop in continuing'
  /** Iterations; null: endless. */
  readonly count: number | null
  readonly body: readonly Statement[]
}
type Statement =
  | { readonly type: 'step'; readonly by: number }
  | { readonly type: 'if' | 'switch'; readonly by: number; readonly body: readonly Statement[]; readonly other: readonly Statement[] } // oxfmt-ignore
  | { readonly type: 'call' | 'continue' | 'comment'; readonly by: number }
  | { readonly type: 'loop'; readonly loop: Loop }

const statements = (isFinite: boolean) =>
  fc.letrec<{ list: Statement[]; loop: Loop; statement: Statement }>((tie) => ({
    list: fc.array(tie('statement'), { minLength: 1, maxLength: 3, depthIdentifier: 'wgsl' }),
    loop: fc.record({
      form: fc.constantFrom<Loop['form']>(
        'for',
        'for without condition',
        'while',
        'loop',
        'loop with break if',
        'loop in continuing',
      ),
      count: isFinite
        ? fc.integer({ min: 0, max: 3 })
        : fc.option(fc.integer({ min: 0, max: 3 }), { freq: 1 }),
      body: tie('list'),
    }),
    statement: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'wgsl' },
      fc.record({ type: fc.constant('step' as const), by: fc.integer({ min: 1, max: 9 }) }),
      fc.record({
        type: fc.constantFrom('call' as const, 'continue' as const, 'comment' as const),
        by: fc.integer({ min: 2, max: 5 }),
      }),
      fc.record({ type: fc.constant('loop' as const), loop: tie('loop') }),
      fc.record({ type: fc.constant('loop' as const), loop: tie('loop') }),
      fc.record({
        type: fc.constantFrom('if' as const, 'switch' as const),
        by: fc.integer({ min: 2, max: 5 }),
        body: tie('list'),
        other: tie('list'),
      }),
    ),
  })).list

class Writer {
  #loops = 0

  list(all: readonly Statement[], place: 'function' | 'loop' | 'continuing', inHelper: boolean): string {
    return all.map((one) => this.#statement(one, place, inHelper)).join(' ')
  }

  #statement(one: Statement, place: 'function' | 'loop' | 'continuing', inHelper: boolean): string {
    switch (one.type) {
      case 'step':
        return `x = x * ${String(one.by)}u + 1u;`
      case 'comment':
        return `/* loop { /* for */ */ // while {\n`
      case 'call':
        return inHelper ? 'x += 1u;' : 'x += helper(x);'
      case 'continue':
        // What continues is counted at the head of its loop.
        return place === 'loop' ? `if (x % ${String(one.by)}u == 1u) { x += 1u; continue; }` : 'x += 2u;'
      case 'if':
      case 'switch': {
        const [body, other] = [one.body, one.other].map((list) => this.list(list, place, inHelper))
        return one.type === 'if'
          ? `if (x % ${String(one.by)}u == 0u) { ${body ?? ''} } else { ${other ?? ''} }`
          : `switch (x % ${String(one.by)}u) { case 0u, 2u: { ${body ?? ''} } default { ${other ?? ''} } }`
      }
      case 'loop':
        return this.#loop(one.loop, place, inHelper)
    }
  }

  #loop({ form, count, body }: Loop, place: 'function' | 'loop' | 'continuing', inHelper: boolean): string {
    const i = `i${String(this.#loops++)}`
    const end = count === null ? 'false' : `${i} >= ${String(count)}u`
    const inside = this.list(body, 'loop', inHelper)
    const declared = `var ${i} = 0u;`
    switch (form) {
      case 'for':
        return `@diagnostic(off, derivative_uniformity) for (${declared} !(${end}); ${i} += 1u) { ${inside} }`
      case 'for without condition':
        return `for (${declared};${i}++) { if (${end}) { break; } ${inside} }`
      case 'while':
        return `${declared} while !(${end}) { ${i} += 1u; ${inside} }`
      case 'loop':
        return `${declared} loop { if ${end} { break; } ${i} += 1u; ${inside} }`
      case 'loop with break if':
        return `${declared} loop { ${inside} continuing { ${i} += 1u; break if ${end}; } }`
      case 'loop in continuing': {
        const inner = place === 'continuing' ? '' : this.list(body, 'continuing', inHelper)
        return `${declared} loop { x += 3u; continuing { for (var j = 0u; j < 2u; j += 1u) { x += j; } ${inner} ${i} += 1u; break if ${end}; } }`
      }
    }
  }
}

function wgslOf(main: readonly Statement[], helper: readonly Statement[]): string {
  const writer = new Writer()
  return `fn helper(start: u32) -> u32 { var x = start; ${writer.list(helper, 'function', true)} return x; }
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) id: u32) {
  var x = id; ${writer.list(main, 'function', false)} output[id] = x;
}`
}

/** @param isFinite every loop ends by itself; else most do not, and have a fuel of 20. */
export function randomPrograms(count: number, isFinite: boolean, seed: number): readonly Program[] {
  const both = fc.tuple(statements(isFinite), statements(isFinite))
  return fc.sample(both, { numRuns: count, seed }).map(([main, helper]) => ({
    wgsl: wgslOf(main, helper),
    perInvocation: isFinite ? 1_000_000 : 20,
    isFinite,
  }))
}
