// Found: 25 ms of script before each frame's submit. Changed: they are gone.
export const steps = 16

export default function make({ kernel, submit }) {
  const work = kernel(4)
  const data = new Float64Array(1024)
  const update = (ms) => {
    const until = performance.now() + ms
    for (let at = 0; performance.now() < until; at += 1) data[at % 1024] = Math.sin(at)
  }
  const frame = (ms) =>
    new Promise((next) => {
      requestAnimationFrame(() => {
        update(ms)
        submit(work)
        next()
      })
    })
  return { found: () => frame(25), changed: () => frame(0) }
}
