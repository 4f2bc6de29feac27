/** Durations inside evidence sentences: three digits, the unit a person would choose. Tables and panes format their own. */
export function durationText(timeNs: number): string {
  const size = Math.abs(timeNs)
  const [value, unit] =
    size >= 1e9
      ? [timeNs / 1e9, 's']
      : size >= 1e6
        ? [timeNs / 1e6, 'ms']
        : size >= 1e3
          ? [timeNs / 1e3, 'µs']
          : [timeNs, 'ns']
  return `${String(Number(value.toPrecision(3)))} ${unit}`
}

export function bytesText(sizeBytes: number): string {
  const [value, unit] =
    sizeBytes >= 2 ** 20
      ? [sizeBytes / 2 ** 20, 'MiB']
      : sizeBytes >= 1024
        ? [sizeBytes / 1024, 'KiB']
        : [sizeBytes, 'bytes']
  return `${String(Number(value.toPrecision(3)))} ${unit}`
}

/** A name from a file, where a line break would begin a line of its own. */
export const oneLine = (text: string): string => text.replaceAll('\n', '\\n')
