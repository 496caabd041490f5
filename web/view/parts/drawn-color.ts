/** The color of an initials avatar. Bright hues are darker, so that white letters have enough contrast. */
export const drawnColor = (hue: number): string => `hsl(${hue} 45% ${hue > 30 && hue < 203 ? 32 : 42}%)`
