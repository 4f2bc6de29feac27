// Found: each step waits for an empty queue. Changed: the host runs two steps ahead.
export const steps = 40

export default function make({ device, kernel, submit, pacer }) {
  const layers = Array.from({ length: 4 }, (_, at) => kernel(0.3, `layer ${at}`))
  const pace = pacer()
  return {
    async found() {
      submit(...layers)
      await device.queue.onSubmittedWorkDone()
    },
    async changed() {
      submit(...layers)
      await pace()
    },
  }
}
