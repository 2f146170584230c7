export const en = {
  toDark: 'Dark',
  toLight: 'Light',
};
