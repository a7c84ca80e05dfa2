"""Every rule, one module each; a new rule is a file, a line here and a breach to prove it."""

from __future__ import annotations

from typing import Final

from loopgraph.check.rule import Rule
from loopgraph.check.rules import (
    lg101_missing_file,
    lg102_stored_handoff,
    lg103_stranger,
    lg104_uncalled_node,
    lg105_contract_id,
    lg106_other_contract,
    lg107_file_cap,
    lg108_prompt_size,
    lg109_not_text,
    lg110_control_character,
    lg111_conflict_marker,
    lg112_placeholder,
    lg113_comment,
    lg114_absolute_path,
    lg115_frozen_part,
    lg116_no_record,
    lg117_unreadable_record,
    lg118_secret,
    lg119_unknown_command,
    lg120_dangling_pointer,
    lg121_unclosed_block,
)

RULES: Final[tuple[Rule, ...]] = (
    lg101_missing_file.RULE,
    lg102_stored_handoff.RULE,
    lg103_stranger.RULE,
    lg104_uncalled_node.RULE,
    lg105_contract_id.RULE,
    lg106_other_contract.RULE,
    lg107_file_cap.RULE,
    lg108_prompt_size.RULE,
    lg109_not_text.RULE,
    lg110_control_character.RULE,
    lg111_conflict_marker.RULE,
    lg112_placeholder.RULE,
    lg113_comment.RULE,
    lg114_absolute_path.RULE,
    lg115_frozen_part.RULE,
    lg116_no_record.RULE,
    lg117_unreadable_record.RULE,
    lg118_secret.RULE,
    lg119_unknown_command.RULE,
    lg120_dangling_pointer.RULE,
    lg121_unclosed_block.RULE,
)
