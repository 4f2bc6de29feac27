/** Phases of events (`ph`), by their letter's code. */
const codeOf = (letter: string): number => letter.charCodeAt(0)

export const COMPLETE = codeOf('X')
export const METADATA = codeOf('M')
export const COUNTER = codeOf('C')
export const BEGIN = codeOf('B')
export const ASYNC_BEGIN = codeOf('b')
/** Ends of an arrow. */
export const START = codeOf('s')
export const FINISH = codeOf('f')

/** Of phases with these letters. */
const among = (letters: string): ((phase: number) => boolean) => {
  const has = new Uint8Array(256)
  for (const letter of letters) has[codeOf(letter)] = 1
  return (phase) => has[phase] === 1
}
export const isHalf = among('BEbe')
export const isAsync = among('be')
export const isFlow = among('stf')
/** Ends of arrows, halves and instants with an id. */
export const hasId = among('stfben')
export const hasLane = among('XCBEbeiInR')
