// The CPU multiplies; nothing leaves the host's memory.
export default async function ({ lab, input }) {
  const { n, pairs, uses, multiply } = input
  const count = pairs.length * uses
  const products = []

  // One mark for all of them: marking each would take as long as a small product does.
  await lab.compute(`matmul ${n}³ × ${count} on the CPU`, 2 * n ** 3 * count, async () => {
    for (const [a, b] of pairs) {
      let c
      for (let use = 0; use < uses; use++) c = await multiply(a, b, n) // WebAssembly
      products.push(c)
    }
  })

  return products
}
