/** A name from a file, where a line break would begin a line of its own. */
export const oneLine = (text: string): string => text.replaceAll('\n', '\\n')
