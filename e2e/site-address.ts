/** Where the site under test is served. */
import { createServer } from 'node:net'

/** @throws Error where no port is free */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || !address) throw new Error('No port is free.')
  return address.port
}

/**
 * A name that the tests' browser finds this machine by: over http it is no secure context, and has
 * no WebGPU.
 */
export const INSECURE_HOST = 'insecure.test'
