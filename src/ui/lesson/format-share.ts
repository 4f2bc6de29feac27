import { formatQuantity, withUnit } from '../format'

/** Nearly all is not all: 99.96 % is written so, and never as 100 %. */
export const formatShare = (share: number): string =>
  share >= 0.9995 && share < 1
    ? withUnit(String(Math.floor(share * 1e4) / 100), '%')
    : formatQuantity(share, 'ratio')
