/**
 * A file that a page of another site gave, on its way to the page 'trace'. What hears other sites
 * is never isolated (open.html), and what shows runs is: between the two it lies in this browser,
 * until the next one is given.
 */
import { fail, succeed, type Result } from '../../base/fault'
import { storedValues } from '../state/stored-values'

const values = storedValues('host-device-lab-given')

/** Of the address of the page 'trace': which file. */
export const GIVEN = 'given'

/**
 * @returns the address of the page that opens it, relative to the site's root; null: this browser
 * keeps nothing for the page
 */
export async function leaveFile(blob: Blob): Promise<string | null> {
  const key = crypto.randomUUID()
  await values.clear()
  return (await values.put(key, blob)) ? `./trace/#?${GIVEN}=${key}` : null
}

export async function givenFile(key: string): Promise<Result<Blob>> {
  const file = await values.get(key)
  return file instanceof Blob
    ? succeed(file)
    : fail({
        code: 'storage',
        message: 'The recording from another page is no longer here.',
        hint: 'Send it again, or save it as a file and open that.',
      })
}
