/** A server of pages that know nothing of the lab, while a file of tests runs. */
import { createServer, type RequestListener } from 'node:http'
import { test } from './fixtures'

/** @returns its port, once a test runs */
export function serving(answer: RequestListener): () => number {
  const server = createServer(answer)
  test.beforeAll(() => new Promise<void>((resolve) => server.listen(0, resolve)))
  test.afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return () => {
    const address = server.address()
    return typeof address === 'object' && address ? address.port : 0
  }
}
