// Found: each of 100 short passes is a submit of its own. Changed: one submit has them all.
export const steps = 40

export default function make({ kernel, submit, pacer }) {
  const passes = Array.from({ length: 100 }, (_, at) => kernel(0.002, `node ${at}`))
  const pace = pacer()
  return {
    async found() {
      for (const pass of passes) submit(pass)
      await pace()
    },
    async changed() {
      submit(...passes)
      await pace()
    },
  }
}
