/** The work, or what `late` makes once `limitMs` have passed; what the work comes to then is nobody's. @throws what the work throws, or that */
export async function within<T>(limitMs: number, work: Promise<T>, late: () => Error): Promise<T> {
  work.catch(() => undefined)
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(late()), limitMs)))
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
