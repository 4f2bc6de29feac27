/** Changes to the text of shaders/matmul/specialised.wgsl that the sweep compares: what a person would not write, or was slower. */
/** After the last tiles: nothing is fetched (a branch), the last again, what lies behind it, or the loop ends a step early. */
export type End = 'branch' | 'again' | 'beyond' | 'peeled'
/** How a step of k is written: in functions and loops, its loop of two written out, in main, or in main with a variable for each vector. */
export type StepText = 'loop' | 'written' | 'main' | 'named'

export function replaceOnce(code: string, from: string, to: string): string {
  if (!code.includes(from)) throw new Error(`The WGSL has no '${from}'.`)
  return code.replace(from, to)
}

const between = (code: string, from: string, to: string): string => {
  const start = code.indexOf(from)
  const until = code.indexOf(to, start)
  if (start < 0 || until < 0) throw new Error(`The WGSL has no '${from}' before '${to}'.`)
  return code.slice(start, until)
}

export function withEnd(kernel: string, end: End): string {
  if (end === 'again') return kernel
  const fetch = between(kernel, '    a_at += select(', '    multiply_')
  const beyond = fetch.replaceAll(/select\(0, (.*), step \+ 1 < count\)/g, '$1')
  if (end === 'beyond') return kernel.replace(fetch, beyond)
  if (end === 'branch') return kernel.replace(fetch, `    if (step + 1 < count) {\n${beyond}    }\n`)
  const share = between(kernel, '    if (A_BLOCKS >= THREADS ||', '    // On their way')
  const multiply = between(kernel, '    multiply_', '  // Written out: in a loop')
  return kernel
    .replace('for (var step = 0u; step < count; step += 1u)', 'for (var step = 1u; step < count; step += 1u)')
    .replace(fetch, beyond)
    .replace('  // Written out: in a loop', `  {\n${share}${multiply}\n  // Written out: in a loop`)
}

/** The product of two tiles, as text that a person would not write. */
export function withStep(kernel: string, step: StepText, line: 8 | 16, depth: 8 | 16): string {
  const parts = ['x', 'y', 'z', 'w']
  const range = (count: number) => Array.from({ length: count }, (_, index) => index)
  const vectors = line / 4
  if (step === 'loop') return kernel
  if (step === 'written') {
    const loop = between(kernel, '  for (var four = 0u; four < SHORT_4', 'fn multiply_eight')
    const lines = range(2).flatMap((four) => [
      `  let factors_${String(four)} = sh_short[slice][k][${String(four)}][place.y];`,
      ...parts.map((part, at) => {
        const sum = `(*sums)[${String(4 * four + at)}]`
        return `  ${sum} = add_product(${sum}, factors_${String(four)}.${part}, line);`
      }),
    ])
    return kernel.replace(loop, `${lines.join('\n')}\n}\n\n`)
  }
  const multiply = between(
    kernel,
    '    multiply_eight(&sums, 0',
    '    workgroupBarrier(); // everyone has read them: the next may',
  )
  const lines = range(depth).map((k) => {
    const read = range(vectors).map(
      (at) => `let l_${String(at)} = sh_long[slice][${String(k)}][${String(at)}][place.x];`,
    )
    const sums = range(2).flatMap((four) => [
      `let f_${String(four)} = sh_short[slice][${String(k)}][${String(four)}][place.y];`,
      ...parts.flatMap((part, at) =>
        range(vectors).map((vector) => {
          const row = String(4 * four + at)
          const sum = step === 'named' ? `s_${row}_${String(vector)}` : `sums[${row}][${String(vector)}]`
          return `${sum} = fma(vec4f(f_${String(four)}.${part}), l_${String(vector)}, ${sum});`
        }),
      ),
    ])
    return `    { ${[...read, ...sums].join(' ')} }\n`
  })
  const changed = kernel.replaceAll(multiply, lines.join(''))
  if (step === 'main') return changed
  const names = range(8).map((row) => range(vectors).map((at) => `s_${String(row)}_${String(at)}`))
  const declared = names.flat().map((name) => `  var ${name}: vec4f;`)
  const joined = names.map((row, at) => `  sums[${String(at)}] = Line(${row.join(', ')});`)
  return changed
    .replace('  var sums: Sums;', `${declared.join('\n')}\n  var sums: Sums;`)
    .replace('  // Written out: in a loop', `${joined.join('\n')}\n  // Written out: in a loop`)
}
