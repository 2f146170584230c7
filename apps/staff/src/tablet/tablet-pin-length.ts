/** The number of digits in a tablet PIN; the PIN for money has six. */
export const tabletPinLength = 4;
