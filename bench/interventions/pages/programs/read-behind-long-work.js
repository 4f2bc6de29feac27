// Found: each step awaits its result, behind 60 ms of work. Changed: it reads that a step later.
export const steps = 6

export default function make({ device, words, kernel, submit }) {
  const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST
  const buffers = Array.from({ length: 2 }, () => device.createBuffer({ size: 4, usage }))
  const work = kernel(60)
  const mappedBy = (back) => {
    submit(work, (encoder) => encoder.copyBufferToBuffer(words, 0, back, 0, 4))
    return back.mapAsync(GPUMapMode.READ)
  }
  let earlier = null
  return {
    async found() {
      const [back] = buffers
      await mappedBy(back)
      back.unmap()
    },
    async changed(step) {
      const back = buffers[step % 2]
      const now = { back, mapped: mappedBy(back) }
      const before = earlier
      earlier = step === steps - 1 ? null : now
      for (const each of [before, earlier ? null : now]) {
        await each?.mapped
        each?.back.unmap()
      }
    },
  }
}
