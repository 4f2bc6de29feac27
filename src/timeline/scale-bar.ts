export const BAR_PX = { least: 48, most: 150 } as const

export interface ScaleBar {
  readonly lengthNs: number
  readonly widthPx: number
}

/** The longest of 1, 2, 5 × 10ⁿ ns that is at most `BAR_PX.most` wide. */
export function scaleBar(pxPerNs: number): ScaleBar {
  const most = BAR_PX.most / pxPerNs
  const power = 10 ** Math.floor(Math.log10(most))
  const lengthNs = power * ([5, 2, 1].find((step) => step * power <= most) ?? 1)
  return { lengthNs, widthPx: lengthNs * pxPerNs }
}
