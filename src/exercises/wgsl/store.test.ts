import { describe, expect, it } from 'vitest'
import { addFuel, type Fueled } from './fuel'
import type { Store } from './store'

const STORE: Store = { group: 2, firstMark: 5, free: 8, portion: 32 }
const stored = (source: string): Fueled => {
  const result = addFuel(source, 100, STORE)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}
const inMain = (body: string, before = ''): string =>
  `${before}@group(1) @binding(0) var<uniform> n: u32;\n@compute @workgroup_size(8) fn main() {\n${body}\n}`

describe('with a store', () => {
  it('loops share what an invocation has, and take as much as an iteration is long', () => {
    const { code, perInvocation, loopLines, entryPoints } = stored(
      inMain('for (;;) { x(); }\nwhile a { }', 'fn x() { for (;;) { } }\n'),
    )
    const take = (mark: number, amount: number) =>
      `if (fuel < ${String(amount)}u && !fuelMore(${String(mark)}u, ${String(amount)}u)) { break; } fuel -= ${String(amount)}u;`
    expect(code).toContain(`fn x() { for (;;) { ${take(5, 1)} } }`)
    // With what is called in it: the call's own loop takes for itself.
    expect(code).toContain(`for (;;) { ${take(6, 2)} x(); }`)
    expect(code).toContain(`while a { ${take(7, 1)} }`)
    expect([perInvocation, loopLines]).toEqual([0, [1, 4, 5]])
    expect(entryPoints[0]).toMatchObject({ hasLoops: true, worstIterations: 1 + STORE.free })
  })

  it('a barrier anywhere leaves each loop its own counter, and its mark', () => {
    const { code, perInvocation } = stored(inMain('for (;;) { }\nworkgroupBarrier();'))
    expect(code).toContain('if (fuel0 == 0u) { atomicStore(&fuelStore.ranOut[5u], 1u); break; } fuel0 -= 1u;')
    expect(code).not.toContain('fuelMore')
    expect(perInvocation).toBe(100)
  })

  it('declares it behind the source, on lines of its own, where there are loops', () => {
    const source = inMain('loop { break; }') + ' // the end'
    const { code } = stored(source)
    const lines = source.split('\n').length
    expect(code.split('\n').slice(0, lines)).toHaveLength(lines)
    expect(code.split('\n').slice(lines).join('\n')).toContain(
      '@group(2) @binding(0) var<storage, read_write>',
    )
    expect(stored(inMain('x = 1;')).code).toBe(inMain('x = 1;'))
  })

  it.each([
    ['@group(0) @binding(0) var a: i32;', 1],
    ['@group(2) @binding(0) var a: i32; @group(0) @binding(0) var b: i32;', 3],
    ['const which = 1; @group(which) @binding(0) var a: i32;', null],
    ['', 0],
  ])('the next group of %j is %j', (source, next) => expect(stored(source).nextGroup).toBe(next))
})
