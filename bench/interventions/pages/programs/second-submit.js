// Found: each step of 10 ms submits twice. Changed: once.
export const steps = 16

export default function make({ kernel, submit, pacer }) {
  const [first, second] = [kernel(5, 'first'), kernel(5, 'second')]
  const pace = pacer()
  return {
    async found() {
      submit(first)
      submit(second)
      await pace()
    },
    async changed() {
      submit(first, second)
      await pace()
    },
  }
}
