import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { matmulKernels } from '../../gpu/kernels/catalog'
import { addFuel, iterationsOf, mostFuel, type Fueled } from './fuel'
import { lineStarts } from './tokens'
import fc from 'fast-check'

const fueled = (source: string, perInvocation = 100): Fueled => {
  const result = addFuel(source, perInvocation)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}
const problemsOf = (source: string) => {
  const result = addFuel(source, 100)
  return result.ok ? [] : result.error
}
const inMain = (body: string, before = ''): string =>
  `${before}@compute @workgroup_size(8) fn main() {\n${body}\n}`
/** The text between the braces of main. */
const bodyWithFuel = (body: string): string => {
  const { code } = fueled(inMain(body))
  return code.slice(code.indexOf('\n') + 1, code.lastIndexOf('\n}'))
}

const TAKE = (name: string): string =>
  ` if (${name} == 0u) { atomicStore(&fuelMarks[${name.slice(4)}], 1u); break; } ${name} -= 1u;`

describe('a loop with fuel', () => {
  it.each([
    ['for (;;) {}', `var fuel0 = 100u; for (;;) {${TAKE('fuel0')}}`],
    ['loop { }', `var fuel0 = 100u; loop {${TAKE('fuel0')} }`],
    ['while true {}', `var fuel0 = 100u; while true {${TAKE('fuel0')}}`],
    ['while(a[i(1)] < 3){ b(); }', `var fuel0 = 100u; while(a[i(1)] < 3){${TAKE('fuel0')} b(); }`],
    [
      '@diagnostic(off, derivative_uniformity) for (;;) @diagnostic(off, x.y) { }',
      `var fuel0 = 100u; @diagnostic(off, derivative_uniformity) for (;;) @diagnostic(off, x.y) {${TAKE('fuel0')} }`,
    ],
    [
      'switch x { case 1, 2: { loop { break; } } default { } }',
      `switch x { case 1, 2: { var fuel0 = 100u; loop {${TAKE('fuel0')} break; } } default { } }`,
    ],
    [
      'loop { continuing { for (;;) { break; } break if x; } }',
      `var fuel0 = 100u; var fuel1 = 100u; loop {${TAKE('fuel0')} continuing { for (;;) {${TAKE('fuel1')} break; } break if x; } }`,
    ],
  ])('%s', (source, expected) => expect(bodyWithFuel(source)).toBe(expected))

  it('has a counter of its own, declared before the outermost loop', () => {
    const body = 'x = 1; for (;;) { while a { } if (b) { loop { break; } } } loop { break; }'
    const text = bodyWithFuel(body)
    expect(text).toMatch(/^x = 1; var fuel0 = 100u; var fuel1 = 100u; var fuel2 = 100u; for \(;;\) \{/)
    expect(text).toMatch(/\} var fuel3 = 100u; loop \{/)
  })

  it('is not taken from comments, and is found between them', () => {
    const source = `// for (;;) {
/* loop { /* nested */ while */ /*/ { */
fn f() { /* { */ loop/**/{ // }
  break; } } // \u2028 fn g() { for(;;){} }`
    const { code } = fueled(source)
    expect(code.match(/if \(/g)).toHaveLength(2)
    expect(code).toContain('loop/**/{ if (fuel0 == 0u)')
    expect(code).toContain('for(;;){ if (fuel1 == 0u)')
  })

  it('gets names that the source does not have', () => {
    const { code } = fueled('var<private> fuel0: u32; const fuelx = 1; fn f() { loop { break; } }')
    expect(code).toContain('var fuelxx0 = 100u;')
  })

  it('that only `return` leaves is followed by a return', () => {
    const endless = 'fn f() -> array<vec2<f32>, 4> { loop { if x { return y; } } }'
    expect(fueled(endless).code).toMatch(/\} \} return array < vec2 < f32 > , 4 >\(\); \}$/m)
    const attributed =
      'fn f() -> @location(0) f32 { for (;;) { switch x { default { break; } } return 1.0; } }'
    expect(fueled(attributed).code).toMatch(/\} return f32\(\); \}$/m)
    for (const left of [
      'for (;a;) { }',
      'while a { }',
      'loop { break; }',
      'loop { continuing { break if a; } }',
    ])
      expect(fueled(`fn f() -> u32 { ${left} return 1u; }`).code, left).not.toContain('return u32')
    expect(fueled('fn f() { loop { if x { return; } } }').code).not.toContain('; }  return')
  })

  it('keeps directives first, and every line where it was', () => {
    const source =
      'enable f16;\r\nrequires pointer_composite_access;\ndiagnostic(off, derivative_uniformity);\n\nfn f() {\n  for (;;)\n  {\n  }\n}\n'
    const { code } = fueled(source)
    expect(code.startsWith('enable f16;\r\nrequires')).toBe(true)
    expect(code.split('\n').indexOf('}')).toBe(source.split('\n').indexOf('}'))
    expect(code.split('\n')[5]).toBe('  var fuel0 = 100u; for (;;)')
    expect(code.split('\n')[6]).toBe(`  {${TAKE('fuel0')}`)
  })
})

describe('what does not fit the grammar is a problem at its place', () => {
  it.each([
    ['fn f() { loop }', 1, 9],
    ['fn f() {\n  for { }\n}', 2, 2],
    ['fn f() { for (;;) x { } }', 1, 9],
    ['fn f() { while x; { } }', 1, 9],
    ['fn f() { x = loop { }; }', 1, 13],
    ['fn f() { if (a) else loop { } }', 1, 21],
    ['fn f() { x(for (;;) { }); }', 1, 11],
    ['fn f() { for (loop;;) { } }', 1, 14],
    ['fn f() { "{" }', 1, 7],
    ['fn f() { (] }', 1, 10],
    ['fn f() { }\n}', 2, 0],
    ['/* /* */\nfn f() {}', 1, 0],
    ['loop { }', 1, 0],
    ['const x = 1 loop { } fn f() { }', 1, 0],
    ['diagnostic(off, loop);', 1, 0],
    ['fn f() { g(); } fn g() { f(); }', 1, 0],
    ['fn f() { } fn f() { loop { } }', 1, 11],
    [`fn f() { ${'loop { '.repeat(100)}${'}'.repeat(100)} }`, 1, 464],
  ])('%s', (source, line, column) =>
    expect(problemsOf(source)).toMatchObject([{ line, column, severity: 'error' }]),
  )

  it('so are functions that are huge once their calls are written out', () => {
    const calls = (callee: string): string => `${callee}(); `.repeat(10)
    const chain = Array.from({ length: 12 }, (_, i) => `fn f${String(i + 1)}() { ${calls(`f${String(i)}`)}}`)
    expect(problemsOf(`fn f0() { } ${chain.join('\n')}`)[0]?.message).toMatch(/^With its calls written out/)
    expect(problemsOf(`fn f0() { } ${chain.slice(0, 2).join('\n')}`)).toEqual([])
  })
})

const costOf = (source: string): readonly number[] | undefined => fueled(source).entryPoints[0]?.cost

describe('the cost of an entry point', () => {
  it('is one where nothing loops, and grows with its length', () => {
    expect(costOf(inMain('x = 1;'))).toEqual([1])
    expect(costOf(inMain('x = y + z;'.repeat(32)))).toEqual([6])
  })

  it('is a fuel for each loop, however deep they nest', () => {
    expect(costOf(inMain('for (;;) { for (;;) { loop { break; } } } loop { break; }'))).toEqual([1, 4])
  })

  it('counts a long body for more', () =>
    expect(costOf(inMain(`loop { ${'x = y + z;'.repeat(32)} }`))).toEqual([1, 7]))

  it('multiplies with functions that are called in loops, in headers too', () => {
    const helper = 'fn helper() -> u32 { for (;;) { break; } return 1u; } '
    expect(costOf(helper + inMain('helper();'))).toEqual([2, 1])
    expect(costOf(helper + inMain('loop { x[helper()] = 1; }'))).toEqual([1, 2, 1])
    expect(costOf(helper + inMain('while helper() < 3 { }'))).toEqual([2, 3, 1])
    expect(costOf(helper + inMain('loop { switch helper() { default { break; } } }'))).toEqual([1, 2, 1])
    expect(costOf(helper + inMain('loop { break; continuing { helper(); } }'))).toEqual([1, 2, 1])
  })
})

describe('workgroup sizes', () => {
  it.each([
    ['@workgroup_size(64)', 64],
    ['@workgroup_size(8u, 4i,)', 32],
    ['@workgroup_size(0x10, 4)', 64],
    ['@workgroup_size(2 * 32)', null],
    ['@workgroup_size(8, N)', null],
    ['@workgroup_size(8, select(1, 2, true))', null],
  ])('%s', (attribute, expected) => {
    const source = `@compute ${attribute} fn main() { } fn other() { }`
    expect(fueled(source).entryPoints.map(({ name, workgroupSize }) => [name, workgroupSize])).toEqual([
      ['main', expected],
    ])
  })
})

it('chooses the fuel by the cost of the costliest entry point', () => {
  const source = `${inMain('loop { break; } loop { break; }')} @compute @workgroup_size(1) fn other() { loop { break; } }`
  const result = addFuel(source, (cost) => (cost[1] ?? 0) * 7)
  expect(result.ok && result.value.code).toContain('var fuel0 = 14u; loop')
})

it('counts lines as compilers do', () => expect(lineStarts('a\r\nb\rc\nd\u2028e')).toEqual([0, 3, 5, 7, 9]))

describe('the shaders of the lab', () => {
  const root = join(import.meta.dirname, '..', '..', '..', 'shaders')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.wgsl'),
  )

  it.each(files)('%s is read, and every loop of it gets fuel', (path) => {
    const source = readFileSync(join(root, path), 'utf8')
    const loops = source.replace(/\/\/.*/g, '').match(/\b(for|while|loop)\b/g)?.length ?? 0
    expect(fueled(source).code.match(/ == 0u\) \{ atomicStore/g)?.length ?? 0).toBe(loops)
  })

  it.each(matmulKernels.map((kernel) => [kernel.id, kernel] as const))('%s as it is joined', (_, kernel) => {
    for (const size of [64, 63]) {
      const shape = { m: size, n: size, k: size, alpha: 1, accumulate: false }
      const { code } = typeof kernel.source === 'function' ? kernel.source(shape) : kernel.source
      const entry = fueled(code).entryPoints.find(({ name }) => name === 'main')
      expect(entry?.cost.length).toBeGreaterThan(1)
    }
  })
})

it('declares the marks behind the source, on a line of their own, where there are loops', () => {
  const source = inMain('loop { break; }\nwhile a { }') + ' // the end'
  const { code, loopLines } = fueled(source)
  expect(code.split('\n').slice(source.split('\n').length)).toEqual([
    '@group(1) @binding(0) var<storage, read_write> fuelMarks: array<atomic<u32>, 2>;',
    '',
  ])
  expect(loopLines).toEqual([2, 3])
  expect(fueled(inMain('x = 1;')).code).toBe(inMain('x = 1;'))
})

describe('the most fuel', () => {
  it('keeps an invocation within the bound', () => {
    expect([mostFuel([1, 1], 0.5), mostFuel([1, 1], 200), mostFuel([1, 1], 1e15)]).toEqual([
      1,
      199,
      2 ** 32 - 1,
    ])
    const cost = fc
      .array(fc.nat(20), { minLength: 2, maxLength: 4 })
      .filter((each) => each.some((c, i) => i > 0 && c > 0))
    fc.assert(
      fc.property(cost, fc.double({ min: 1, max: 1e12, noNaN: true }), (each, iterations) => {
        const fuel = mostFuel(each, iterations)
        if (fuel > 1) expect(iterationsOf(each, fuel)).toBeLessThanOrEqual(iterations)
        if (fuel < 2 ** 32 - 1) expect(iterationsOf(each, fuel + 1)).toBeGreaterThan(iterations)
      }),
    )
  })
})
