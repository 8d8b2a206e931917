"""A scan knows all checks there are, chosen or not, and so which annotations accept for none."""

from msgspec import structs

from kubegap.checks.run import Report
from kubegap.cluster.objects import Metadata, Namespace
from kubegap.cluster.snapshot import Origin, Snapshot, Source
from kubegap.library.generation import open_library
from kubegap.mcp.scans import Scans
from kubegap.mcp.shelf import Shelf


def test_an_annotation_of_no_check_is_noted_also_when_the_scan_is_read_again(library_dir, tmp_path):
    shelf = Shelf(open_library(library_dir))
    words = "moves in spring; until 2027-01-01"
    annotations = {"accept.kubegap.io/pdb-blocks-drian": words, "accept.kubegap.io/pdb-missing": words}
    namespace = Namespace(metadata=Metadata(name="shop", annotations=annotations))
    report = Report(Snapshot(Source(Origin.LIVE), {"v1/namespaces": (namespace,)}, {}), ())

    kept = Scans(tmp_path, shelf).keep(report)
    read_again = Scans(tmp_path, shelf).get(kept.id)

    for scan in (kept, read_again):
        (note,) = [note.en for note in scan.verdict.notes if "annotation" in note.en]
        assert note.endswith("there is no such check; did you mean `pdb-blocks-drain`?")
    assert structs.replace(kept.report, snapshot=read_again.report.snapshot) == read_again.report
