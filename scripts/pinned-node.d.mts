export function pinnedNode(system: { platform: string; arch: string }): string;
export function whyNodeFails(message: string): string;
